#if canImport(CMicroHTTPD)
    import Dispatch
    import ODataValues
    import Synchronization

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Notices clients that hang up while their request is being answered: the library does not look at connections that wait.
    ///
    /// A socket is known only as long as its connection waits, so that its number is no other file's.
    final class HangUpWatch: Sendable {
        private struct State {
            var next = 0
            var waiting: [Int: (socket: Int32, hangUp: @Sendable () -> Void)] = [:]
            var isLooking = false
        }

        /// Time between two looks.
        private static let interval = DispatchTimeInterval.milliseconds(25)

        private let state = Mutex(State())
        private let queue = DispatchQueue(label: "HTTPListener.hangUps")

        /// Begins to look at a socket; answers the number under which that ends.
        func begin(_ socket: Int32, hangUp: @escaping @Sendable () -> Void) -> Int {
            let (number, isFirst) = state.guarded { state in
                state.next += 1
                state.waiting[state.next] = (socket, hangUp)
                defer { state.isLooking = true }
                return (state.next, !state.isLooking)
            }
            if isFirst { lookLater() }
            return number
        }

        /// Ends looking at a socket, before its connection goes on.
        func end(_ number: Int) {
            state.guarded { _ = $0.waiting.removeValue(forKey: number) }
        }

        private func lookLater() {
            queue.asyncAfter(deadline: .now() + Self.interval) { [self] in look() }
        }

        private func look() {
            let gone = state.guarded { state in
                let gone = state.waiting.filter { Self.isGone($0.value.socket) }
                for number in gone.keys { state.waiting[number] = nil }
                state.isLooking = !state.waiting.isEmpty
                return (hangUps: gone.map(\.value.hangUp), goesOn: state.isLooking)
            }
            for hangUp in gone.hangUps { hangUp() }
            if gone.goesOn { lookLater() }
        }

        /// Whether the other side has closed the connection; bytes of a next request show that it is still connected.
        private static func isGone(_ socket: Int32) -> Bool {
            var byte: UInt8 = 0
            let count = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
            return count == 0 || count < 0 && errno == ECONNRESET
        }
    }
#endif
