import CLibXML2

/// What libxml2 has told of a part of a document, one event after the other, in plain memory.
///
/// Numbers have the machine's byte order: nobody but this process reads them. Names point into the parser's dictionary,
/// which lives longer than all chunks; values are copied, for libxml2 uses their memory again.
///
///     tag   event
///     0     start of a known element: element, namespace, count of attributes, line; then its attributes
///     1     start of another element: namespace, line, name
///     2     end of an element: line
///     3     text: count, bytes
///     4     warning: line, count, bytes
///
///     attribute   kind, namespace, count, for unknown ones name and prefix, bytes of the value
///
/// A chunk belongs to one thread at a time: `EventPipe` hands it over.
@safe
final class EventChunk: @unchecked Sendable {
    /// What an event is.
    enum Tag: UInt8 {
        case start, startUnknown, end, text, warning
    }

    /// What fits in the processor's second cache, twice.
    static let size = 128 * 1024

    /// The error that ends the document, after all events.
    var failure: CSDLError?
    private(set) var count = 0
    private let capacity: Int
    private let memory: UnsafeMutableRawPointer

    init(capacity: Int = EventChunk.size) {
        self.capacity = capacity
        unsafe memory = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit {
        unsafe memory.deallocate()
    }

    var isEmpty: Bool { count == 0 && failure == nil }

    /// Whether this many bytes can still be written.
    func hasRoom(_ byteCount: Int) -> Bool { capacity - count >= byteCount }

    /// Forgets all events.
    func removeAll() {
        count = 0
        failure = nil
    }

    // MARK: Writing; the caller has asked for room.

    func write<Value: BitwiseCopyable>(_ value: Value) {
        unsafe memory.storeBytes(of: value, toByteOffset: count, as: Value.self)
        count += MemoryLayout<Value>.size
    }

    @unsafe func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        unsafe (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    // MARK: Reading

    func read<Value: BitwiseCopyable>(_ place: inout Int, as type: Value.Type = Value.self) -> Value
    {
        defer { place += MemoryLayout<Value>.size }
        return unsafe memory.loadUnaligned(fromByteOffset: place, as: type)
    }

    @unsafe func readBytes(_ place: inout Int, _ byteCount: Int) -> UnsafeBufferPointer<UInt8> {
        defer { place += byteCount }
        let start = unsafe (memory + place).assumingMemoryBound(to: UInt8.self)
        return unsafe UnsafeBufferPointer(start: start, count: byteCount)
    }
}
