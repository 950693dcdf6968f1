#if canImport(CMicroHTTPD)
    import CMicroHTTPD
    import ODataHTTP

    /// Fields that the library writes itself, from the length of the body.
    private let ownFields = ["content-length", "transfer-encoding"]

    /// Bytes that the library asks for at a time.
    private let blockBytes = 256 * 1024

    /// Gives a response to the library; false where it does not take it.
    ///
    /// With `cutAfter` the head states the whole length, and the connection ends after that many bytes.
    func queueResponse(
        _ response: HTTPResponse,
        cutAfter: Int?,
        on connection: OpaquePointer
    ) -> Bool {
        let body = BodySource(response: response, cutAfter: cutAfter)
        let context = unsafe Unmanaged.passRetained(body).toOpaque()
        guard
            let queued = unsafe cmhd_response(
                UInt64(body.statedLength),
                max(1, min(blockBytes, body.statedLength)),
                readBody,
                context,
                { unsafe $0.map { unsafe Unmanaged<BodySource>.fromOpaque($0).release() } }
            )
        else {
            unsafe Unmanaged<BodySource>.fromOpaque(context).release()
            return false
        }
        // The library counts references; ours ends here.
        defer { unsafe cmhd_release(queued) }
        for field in response.headers.fields where !ownFields.contains(field.name.lowercased()) {
            unsafe cmhd_add_header(queued, field.name, field.value)
        }
        return unsafe cmhd_queue(connection, UInt32(clamping: response.status), queued) == .YES
    }

    private let readBody: MHD_ContentReaderCallback = { context, position, buffer, room in
        guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
        let body = unsafe Unmanaged<BodySource>.fromOpaque(context).takeUnretainedValue()
        let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: room)
        return unsafe body.copy(from: Int(clamping: position), to: target)
    }

    /// The bytes of an answer; the library reads them piece by piece on its thread.
    private final class BodySource {
        /// The answer to HEAD may state a length without having the bytes.
        let statedLength: Int
        private let bytes: [UInt8]
        private let end: Int

        init(response: HTTPResponse, cutAfter: Int?) {
            let stated = response.headers["Content-Length"].flatMap { Int($0) } ?? 0
            bytes = response.body
            statedLength = bytes.isEmpty ? max(0, stated) : bytes.count
            end = min(bytes.count, max(0, cutAfter ?? bytes.count))
        }

        /// Returns the number of bytes copied, -2 (`MHD_CONTENT_READER_END_WITH_ERROR`) to break the connection.
        func copy(from position: Int, to target: UnsafeMutableRawBufferPointer) -> Int {
            guard position < end else { return -2 }
            let count = min(target.count, end - position)
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe target.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
                )
            }
            return count
        }
    }
#endif
