import ODataText
import ODataValues

/// The JSON object of a row's exact texts, in memory that is used again for the next row.
@unsafe
struct ExactTexts {
    /// Each slot's `"name":`, escaped.
    private let members: [[UInt8]]
    /// The text that was added last, as JSON.
    private var quoted: [UInt8] = []
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity = 256
    private var count = 0

    init(_ names: [String]) {
        unsafe members = names.map { name in
            var writer = JSONWriter(capacity: name.utf8.count + 8)
            writer.string(name)
            return writer.bytes + [UInt8(ascii: ":")]
        }
        unsafe buffer = .allocate(capacity: 256)
    }

    func deallocate() {
        unsafe buffer.deallocate()
    }

    /// Begins the next row.
    mutating func reset() { unsafe count = 0 }

    /// Adds the text of a slot, and returns the object as it is so far; it stays where it is until the next call.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, slot: Int) -> RowCell {
        // In place of the closing brace of the object so far.
        if unsafe count == 0 {
            unsafe append(UInt8(ascii: "{"))
        } else {
            unsafe buffer[count - 1] = UInt8(ascii: ",")
        }
        unsafe members[slot].withUnsafeBufferPointer { unsafe append($0) }
        unsafe quoted.removeAll(keepingCapacity: true)
        unsafe JSONString.append(text.span, to: &quoted)
        let value = unsafe quoted
        unsafe value.withUnsafeBufferPointer { unsafe append($0) }
        unsafe append(UInt8(ascii: "}"))
        return unsafe RowCell(.text, at: UnsafePointer(buffer), length: count)
    }

    private mutating func append(_ byte: UInt8) {
        unsafe reserve(1)
        unsafe buffer[count] = byte
        unsafe count += 1
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        unsafe reserve(bytes.count)
        unsafe (buffer + count).update(from: start, count: bytes.count)
        unsafe count += bytes.count
    }

    private mutating func reserve(_ more: Int) {
        guard unsafe count + more > capacity else { return }
        unsafe capacity = max(capacity * 2, count + more)
        let larger = unsafe UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe larger.update(from: buffer, count: count)
        unsafe buffer.deallocate()
        unsafe buffer = larger
    }
}
