#if canImport(CMicroHTTPD)
    import CMicroHTTPD

    // The library calls these on its thread. `context` is the ListenerService, which the Daemon keeps alive
    // longer than the thread runs; `slot` holds the Exchange, retained from begin to completed.

    /// A request line has come: makes the exchange, which holds the target as it was written.
    let beginCallback:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { context, target, connection in
            guard let context = unsafe context, let connection = unsafe connection else {
                return nil
            }
            let service = unsafe Unmanaged<ListenerService>.fromOpaque(context)
                .takeUnretainedValue()
            let text = unsafe target.flatMap { unsafe String(validatingCString: $0) }
            let exchange = unsafe Exchange(connection: connection, target: text, service: service)
            return unsafe Unmanaged.passRetained(exchange).toOpaque()
        }

    /// The head has come, a piece of the body, the end of the body, or an answer is ready.
    let answerCallback: MHD_AccessHandlerCallback = {
        _,
        connection,
        _,
        method,
        _,
        data,
        size,
        slot in
        guard let pointer = unsafe slot?.pointee, let connection = unsafe connection,
            let size = unsafe size
        else { return .NO }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
        let piece = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
        unsafe size.pointee = 0
        return unsafe exchange.advance(connection, method: method, piece: piece) ? .YES : .NO
    }

    /// The last byte of the answer is out, or the connection is gone.
    let completedCallback: MHD_RequestCompletedCallback = { _, _, slot, _ in
        guard let pointer = unsafe slot?.pointee else { return }
        unsafe slot?.pointee = nil
        unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().ended()
    }
#endif
