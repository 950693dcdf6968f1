import ODataValues
import Foundation
import Synchronization

/// Stands between a client and a server and does what networks do: cuts, garbage, silence.
public final class TCPRelay: Sendable {
    /// What happens to one connection.
    public enum Plan: Sendable {
        /// Everything goes through.
        case pass
        /// The connection breaks after this many bytes from the client have gone through.
        case cutRequest(after: Int)
        /// The connection breaks after this many bytes from the server have gone through.
        case cutResponse(after: Int)
        /// The request goes through; these bytes come instead of the answer.
        case garbage([UInt8])
        /// The request goes through and is answered, but the answer is thrown away.
        case dropResponse
        /// After this many bytes from the server nothing comes any more; the connection stays.
        case stallResponse(after: Int)
        /// After this many bytes from the client no more go through; the connection stays.
        case stallRequest(after: Int)
    }

    /// The port that is listened on.
    public let port: UInt16
    private let target: UInt16
    private let listening: TCPSocket
    private let state: Mutex<State>
    private let didStall: @Sendable () -> Void

    private struct State {
        var plans: [Plan]
        var open: [Int: Pair] = [:]
        var count = 0
        var isStopped = false
        var isListening = true
    }

    private struct Pair {
        let client: TCPSocket
        let server: TCPSocket
    }

    /// Listens; each connection takes the next plan, and passes everything once the plans are used up.
    ///
    /// - Parameter didStall: Called when a connection has come to the place where it stays.
    public init(
        to target: UInt16,
        plans: [Plan] = [],
        didStall: @escaping @Sendable () -> Void = {}
    ) throws {
        self.target = target
        self.didStall = didStall
        state = Mutex(State(plans: plans))
        listening = try TCPSocket(listening: ())
        port = listening.port
        Thread.detachNewThread { self.acceptAll() }
    }

    /// Adds a plan for a connection to come.
    public func add(_ plan: Plan) {
        state.guarded { $0.plans.append(plan) }
    }

    /// How many connections were made.
    public var connectionCount: Int { state.guarded { $0.count } }

    /// Breaks all connections and listens no more.
    public func stop() {
        // Inside the lock: outside, a pair might be closed already, and its numbers be another one's.
        state.guarded { state in
            state.isStopped = true
            for pair in state.open.values {
                pair.client.shutDown()
                pair.server.shutDown()
            }
            if state.isListening { listening.shutDown() }
        }
    }

    private func acceptAll() {
        while let client = listening.acceptConnection() {
            guard let server = try? TCPSocket(connectingTo: target) else {
                client.close()
                continue
            }
            let pair = Pair(client: client, server: server)
            let taken = state.guarded { state -> (Int, Plan)? in
                guard !state.isStopped else { return nil }
                state.count += 1
                state.open[state.count] = pair
                return (state.count, state.plans.isEmpty ? .pass : state.plans.removeFirst())
            }
            guard let (number, plan) = taken else {
                client.close()
                server.close()
                break
            }
            Thread.detachNewThread { self.relay(pair, number, plan) }
        }
        state.guarded { state in
            state.isListening = false
            listening.close()
        }
    }

    /// Two threads, one for each direction; the sockets are closed when both have ended.
    private func relay(_ pair: Pair, _ number: Int, _ plan: Plan) {
        let upward = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.copyRequest(pair, plan)
            upward.signal()
        }
        copyResponse(pair, plan)
        pair.client.shutDown()
        pair.server.shutDown()
        upward.wait()
        state.guarded { state in
            state.open[number] = nil
            pair.client.close()
            pair.server.close()
        }
    }

    private func copyRequest(_ pair: Pair, _ plan: Plan) {
        if case .stallRequest(let limit) = plan {
            Self.copy(from: pair.client, to: pair.server, atMost: limit)
            didStall()
            while !pair.client.receive().isEmpty {}
            return pair.server.shutDown()
        }
        guard case .cutRequest(let limit) = plan else {
            Self.copy(from: pair.client, to: pair.server, atMost: .max)
            return pair.server.endSending()
        }
        Self.copy(from: pair.client, to: pair.server, atMost: limit)
        pair.client.shutDown()
        pair.server.shutDown()
    }

    private func copyResponse(_ pair: Pair, _ plan: Plan) {
        switch plan {
        case .pass, .cutRequest, .stallRequest:
            Self.copy(from: pair.server, to: pair.client, atMost: .max)
        case .cutResponse(0):
            // The request must get there all the same.
            _ = pair.server.receive()
        case .cutResponse(let limit):
            Self.copy(from: pair.server, to: pair.client, atMost: limit)
        case .garbage(let bytes):
            _ = pair.server.receive()
            pair.client.send(bytes)
        case .dropResponse:
            _ = pair.server.receive()
        case .stallResponse(let limit):
            Self.copy(from: pair.server, to: pair.client, atMost: limit)
            // The answer has begun: the request was carried out.
            if limit == 0 { _ = pair.server.receive() }
            didStall()
            while !pair.server.receive().isEmpty {}
        }
    }

    private static func copy(from source: TCPSocket, to target: TCPSocket, atMost limit: Int) {
        var left = limit
        while left > 0 {
            let piece = source.receive(atMost: min(left, 64 * 1024))
            guard !piece.isEmpty, target.send(piece) else { return }
            left -= piece.count
        }
    }
}
