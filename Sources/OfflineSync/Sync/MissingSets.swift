import ODataBinding
import ODataClient
import ODataHTTP
import ODataModel
import ODataTables
import ODataValues
import OfflineStore
import OfflineValues
import StoreRecords
import StoreUpload
import Synchronization

/// Looks whether the service still has the entity sets whose entities it does not find; each once in an upload.
///
/// Of a set that has another name by now no entity is found, though all of them are there.
final class MissingSets: Sendable {
    /// Why a request is refused whose entity may be there under another name.
    static let note =
        "the service does not find the entity set itself: it may have another name by now; compare the service's metadata, then try the request again or discard it"

    private let known = Mutex<[String: Bool]>([:])

    /// Whether the service has not even the set of the entity that a request names; false where it does not say.
    func isMissing(
        setOf request: OutgoingRequest,
        in store: LocalStore,
        through client: ServiceClient
    ) async throws -> Bool {
        let model = try await store.schema().model
        guard let path = EntityPath(ofService: request.url, in: model),
            case .entitySet = path.source
        else { return false }
        let name = model.name(of: path.source)
        if let answer = known.guarded({ $0[name] }) { return answer }
        let isMissing = try await isMissing(name, through: client)
        known.guarded { $0[name] = isMissing }
        return isMissing
    }

    private func isMissing(_ name: String, through client: ServiceClient) async throws -> Bool {
        try await ServerEntity.ifReadable {
            do {
                let response = try await client.get(client.url.target("\(name)?$top=1"))
                _ = try await response.body.collect(upTo: client.maximumBodySize)
                return false
            } catch let error as OfflineODataError where error.httpStatus == 404 {
                return true
            }
        } ?? false
    }
}
