#if canImport(Darwin)
    import Darwin
    private let streamType = SOCK_STREAM
    private let ignoringBrokenPipe: Int32 = 0
#else
    import Glibc
    // The flag is set with the socket, so that no process can be started in between.
    private let streamType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    private let ignoringBrokenPipe = Int32(MSG_NOSIGNAL)
#endif

/// A TCP socket on the loopback interface; its functions block, so call them on a thread of their own.
///
/// Every wait ends after a minute, so that no test hangs.
public struct TCPSocket: Sendable {
    /// Why a socket could not be used.
    public struct Failure: Error {
        /// The number of the system's error.
        public let number: Int32
    }

    let descriptor: Int32

    /// Connects to a port of this machine.
    public init(connectingTo port: UInt16) throws {
        descriptor = Self.keptFromChildren(socket(AF_INET, streamType, 0))
        var address = Self.loopback(port)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Self.failure(closing: descriptor) }
        setTimeouts()
    }

    /// Listens on a free port of this machine.
    public init(listening: Void) throws {
        descriptor = Self.keptFromChildren(socket(AF_INET, streamType, 0))
        var address = Self.loopback(0)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, listen(descriptor, 64) == 0 else {
            throw Self.failure(closing: descriptor)
        }
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        setTimeouts()
    }

    /// The port that this end has.
    public var port: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            _ = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits for a connection; nil once the listening socket is shut down.
    public func acceptConnection() -> TCPSocket? {
        let accepted = accept(descriptor, nil, nil)
        return accepted < 0 ? nil : TCPSocket(descriptor: Self.keptFromChildren(accepted))
    }

    /// Sends all bytes; false when the other side is gone.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return unsafe sendBytes(descriptor, rest, ignoringBrokenPipe)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends a text.
    @discardableResult
    public func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Waits for bytes; empty at the end of the connection, after an error and after a minute.
    public func receive(atMost limit: Int = 64 * 1024) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = unsafe max(0, recv(descriptor, buffer.baseAddress, limit, 0))
        }
    }

    /// Receives until the other side ends the connection.
    public func receiveAll() -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let piece = receive()
            if piece.isEmpty { return all }
            all += piece
        }
    }

    /// Receives one whole HTTP message with a stated length, or what came before the end.
    public func receiveMessage(hasBody: Bool = true) -> [UInt8] {
        var message: [UInt8] = []
        while !HTTPText.isWhole(message, hasBody: hasBody) {
            let piece = receive()
            if piece.isEmpty { break }
            message += piece
        }
        return message
    }

    /// Ends both directions; a thread that waits in this socket wakes up.
    public func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Says that no more will be sent.
    public func endSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Gives the socket back.
    public func close() {
        _ = systemClose(descriptor)
    }

    /// Makes the other side see a reset rather than an end when the socket is closed.
    public func setToReset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_LINGER,
            &now,
            socklen_t(MemoryLayout<linger>.size)
        )
    }

    /// A process that a test starts would hold the connection open for as long as it lives.
    private static func keptFromChildren(_ descriptor: Int32) -> Int32 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private func setTimeouts() {
        var longest = timeval(tv_sec: 600, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &longest, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &longest, size)
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }

    private static func failure(closing descriptor: Int32) -> Failure {
        defer { _ = systemClose(descriptor) }
        return Failure(number: errno)
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}

private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int
{
    unsafe send(descriptor, bytes.baseAddress, bytes.count, flags)
}
