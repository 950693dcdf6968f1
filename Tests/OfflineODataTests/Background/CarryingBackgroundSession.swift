import ODataHTTP
import OfflineOData
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A background session that sends what it is given to a service, and does not tell the process that waits: as if it had ended.
final class CarryingBackgroundSession: BackgroundUploadSession {
    private let service: Mutex<(any HTTPTransport)?> = Mutex(nil)
    private let carried: Mutex<[BackgroundUploadTask]> = Mutex([])

    let mayRepeat = false

    /// Who gets the requests.
    func connect(to transport: any HTTPTransport) {
        service.withLock { $0 = transport }
    }

    func start(_ request: HTTPRequest, bodyFile: String, name: String) async throws {
        var whole = request
        whole.body = Array(FileManager.default.contents(atPath: bodyFile) ?? Data())
        guard let transport = service.withLock({ $0 }) else { return }
        let answer = try await transport.exchange(whole)
        carried.withLock { tasks in
            let id = tasks.count + 1
            tasks.append(BackgroundUploadTask(id: id, name: name, state: .answered(answer)))
        }
    }

    func tasks() async -> [BackgroundUploadTask] { carried.withLock { $0 } }

    func end(of name: String) async throws -> BackgroundUploadTask? { nil }

    func remove(_ task: BackgroundUploadTask) async {
        carried.withLock { tasks in tasks.removeAll { $0.id == task.id } }
    }
}

extension HTTPTransport {
    fileprivate func exchange(_ request: HTTPRequest) async throws -> HTTPResponse {
        let answer = try await send(request, options: .patient)
        let bytes = try await answer.body.collect(upTo: 1 << 20)
        return HTTPResponse(status: answer.status, headers: answer.headers, body: bytes)
    }
}
