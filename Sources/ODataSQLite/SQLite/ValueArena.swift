/// Memory for the texts and blobs of one row while SQLite reads them; used again for the next row.
///
/// Chunks are never moved or given back, so that an address stays good for as long as the arena lives.
@safe
package struct ValueArena: ~Copyable {
    private var chunks: [UnsafeMutableRawPointer]
    /// The chunk that is being filled.
    private var current = 0
    private var used = 0

    private static let chunkSize = 64 * 1024
    /// Longer values are not kept here: a chunk holds several.
    package static let maximumLength = 16 * 1024

    package init() {
        unsafe chunks = []
    }

    deinit {
        for index in unsafe chunks.indices { unsafe chunks[index].deallocate() }
    }

    /// Forgets all values; their memory is used again.
    package mutating func reset() {
        current = 0
        used = 0
    }

    /// Copies a value of at most `maximumLength` bytes and answers where it is.
    package mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
        if unsafe chunks.isEmpty { addChunk() }
        if used + bytes.count > Self.chunkSize {
            current += 1
            used = 0
            if current == (unsafe chunks.count) { addChunk() }
        }
        let place = unsafe chunks[current] + used
        unsafe place.copyMemory(from: bytes)
        used += bytes.count
        return unsafe place
    }

    private mutating func addChunk() {
        unsafe chunks.append(.allocate(byteCount: Self.chunkSize, alignment: 16))
    }
}

extension UnsafeMutableRawPointer {
    /// Copies bytes to this address; an empty buffer may have no address.
    fileprivate func copyMemory(from bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        unsafe copyMemory(from: start, byteCount: bytes.count)
    }
}
