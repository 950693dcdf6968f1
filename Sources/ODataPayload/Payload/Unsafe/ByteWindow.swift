import ODataText
import ODataValues

/// The part of a payload that has arrived and is not yet read.
///
///      discarded             unread               free
///     |---------|--------------------------------|-----|
///               0                                count
///
/// Memory of its own, so that cursors need no bounds checks twice; grows when an append exceeds its free bytes.
@safe final class ByteWindow {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    /// Bytes that came before the window.
    private(set) var discarded = 0
    /// Newlines among them.
    private var discardedLines = 0
    /// Offset in the payload of the first byte after the last of those newlines.
    private var lineStart = 0

    init(capacity: Int) {
        self.capacity = capacity
        unsafe memory = .allocate(capacity: capacity)
    }

    deinit { unsafe memory.deallocate() }

    /// Appends bytes that have arrived.
    func append(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        if count + bytes.count > capacity { grow(to: count + bytes.count) }
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe (memory + count).update(from: start, count: source.count)
        }
        count += bytes.count
    }

    private func grow(to needed: Int) {
        let larger = max(needed, capacity * 2)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe memory.update(from: self.memory, count: count)
        unsafe self.memory.deallocate()
        unsafe self.memory = memory
        capacity = larger
    }

    /// Throws bytes at the front away; no cursor may be alive.
    func discard(_ length: Int) {
        guard length > 0 else { return }
        unsafe JSONScan.eachNewline(UnsafePointer(memory), to: length) { index in
            discardedLines += 1
            lineStart = discarded + index + 1
        }
        unsafe memory.update(from: memory + length, count: count - length)
        count -= length
        discarded += length
    }

    /// Gives a cursor over a range; it must not outlive the call.
    func withCursor<Result>(
        _ range: Range<Int>,
        body: (inout ByteCursor) throws -> Result
    ) rethrows -> Result {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= count,
            "the cursor's range is outside the window"
        )
        var cursor = unsafe ByteCursor(UnsafePointer(memory), in: range)
        return try body(&cursor)
    }

    /// The byte at a place; the caller has checked the bounds.
    subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "the byte asked for is outside the window")
        return unsafe memory[index]
    }

    /// Lets a scanner look at the bytes.
    func scan(_ scanner: inout ItemScanner) throws(PayloadFault) -> Int? {
        try unsafe scanner.advance(UnsafePointer(memory), to: count)
    }

    /// Returns line and column, both from 1, of a place in the window.
    func position(of index: Int) -> (line: Int, column: Int) {
        var line = discardedLines + 1
        var start = lineStart - discarded
        for place in 0..<min(index, count) where unsafe memory[place] == 0x0A {
            line += 1
            start = place + 1
        }
        return (line, index - start + 1)
    }
}
