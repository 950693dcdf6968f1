import ODataModel
import ODataProtocol
import ODataTables
struct DeltaAnswer {
    let read: ReadAnswer
    func canTrack(_ path: EntityPath) throws -> Bool { false }
    func firstLink(_ path: EntityPath, _ options: BoundOptions) throws -> String? { nil }
    func changes(_ path: EntityPath, _ options: BoundOptions, _ format: AnswerFormat) throws -> HTTPResponse {
        throw ServiceError(501, "x")
    }
}
