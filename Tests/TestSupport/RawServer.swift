import ODataValues
import Foundation
import Synchronization

/// A server that says literal bytes, one script for each connection, and records what it was sent.
public final class RawServer: Sendable {
    /// One thing that a script does.
    public enum Step: Sendable {
        /// Reads one request with a stated length and records it.
        case read
        /// Reads this many bytes at least and records them.
        case readBytes(Int)
        /// Sends these bytes.
        case send([UInt8])
        /// Waits until the client ends the connection or the server stops.
        case stall
        /// Breaks the connection so that the client sees a reset.
        case reset

        /// Sends this text.
        public static func send(_ text: String) -> Step {
            .send(Array(text.utf8))
        }
    }

    /// The port that is listened on.
    public let port: UInt16
    private let listening: TCPSocket
    private let scripts: [[Step]]
    private let state = Mutex(State())

    private struct State {
        var connections: [TCPSocket?] = []
        var messages: [[UInt8]] = []
        var isStopped = false
        var isListening = true
        var ended = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// Listens; the nth connection gets the nth script, further ones get the last.
    public init(_ scripts: [Step]...) throws {
        self.scripts = scripts
        listening = try TCPSocket(listening: ())
        port = listening.port
        Thread.detachNewThread { self.acceptAll() }
    }

    /// The service's address, with a slash at the end.
    public var root: String { "http://127.0.0.1:\(port)/" }

    /// What was read, message by message.
    public var messages: [[UInt8]] { state.guarded { $0.messages } }

    /// How many connections were made.
    public var connectionCount: Int { state.guarded { $0.connections.count } }

    /// Waits until this many connections have come to their end.
    public func waitForEnds(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.guarded { state in
                guard state.ended < count else { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Ends all connections and listens no more.
    public func stop() {
        // Inside the lock: outside, a socket might be closed already, and its number be another one's.
        state.guarded { state in
            state.isStopped = true
            for connection in state.connections { connection?.shutDown() }
            if state.isListening { listening.shutDown() }
        }
    }

    private func acceptAll() {
        while let connection = listening.acceptConnection() {
            let number = state.guarded { state -> Int? in
                guard !state.isStopped else { return nil }
                state.connections.append(connection)
                return state.connections.count - 1
            }
            guard let number else {
                connection.close()
                break
            }
            let script = scripts[min(number, scripts.count - 1)]
            Thread.detachNewThread { self.run(script, number, connection) }
        }
        state.guarded { state in
            state.isListening = false
            listening.close()
        }
    }

    private func run(_ script: [Step], _ number: Int, _ connection: TCPSocket) {
        for step in script { perform(step, connection) }
        // Taken out under the lock, so that `stop` never touches a number that is in use again.
        let ready = state.guarded { state in
            state.connections[number] = nil
            connection.close()
            state.ended += 1
            let ready = state.waiting.filter { $0.count <= state.ended }
            state.waiting.removeAll { $0.count <= state.ended }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    private func perform(_ step: Step, _ connection: TCPSocket) {
        switch step {
        case .read: record(connection.receiveMessage())
        case .readBytes(let count):
            var message: [UInt8] = []
            while message.count < count {
                let piece = connection.receive()
                if piece.isEmpty { break }
                message += piece
            }
            record(message)
        case .send(let bytes): connection.send(bytes)
        case .stall: while !connection.receive().isEmpty {}
        case .reset: connection.setToReset()
        }
    }

    private func record(_ message: [UInt8]) {
        guard !message.isEmpty else { return }
        state.guarded { $0.messages.append(message) }
    }
}
