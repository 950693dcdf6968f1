import FieldService
import Foundation

/// Rows of the sample as an independent JSON reader sees them, with the members that the tests look at.
enum Rows {
    struct Technician: Decodable {
        let ID: String
        let Name: String
        let SupervisorID: String?
    }

    struct Contact: Decodable {
        let ID: Int
    }

    struct Customer: Decodable {
        let ID: String
        let Notes: String?
        let Contacts: [Contact]
    }

    struct Site: Decodable {
        let ID: Int
        let CustomerID: String
    }

    struct Part: Decodable {
        let Number: String
    }

    struct WorkOrder: Decodable {
        let ID: Int
        let CustomerID: String?
        let SiteID: Int?
        let AssignedToID: String?
        let type: String?
        let requiredParts: [String]?

        enum CodingKeys: String, CodingKey {
            case ID, CustomerID, SiteID, AssignedToID
            case type = "@odata.type"
            case requiredParts = "RequiredParts@odata.bind"
        }
    }

    struct Task: Decodable {
        let ID: Int
        let WorkOrderID: Int
        let Position: Int
    }

    struct TimeEntry: Decodable {
        let ID: String
        let WorkOrderID: Int
        let TechnicianID: String
    }

    struct Attachment: Decodable {
        let ID: String
        let WorkOrderID: Int?
        let contentType: String

        enum CodingKeys: String, CodingKey {
            case ID, WorkOrderID
            case contentType = "@odata.mediaContentType"
        }
    }

    struct Depot: Decodable {
        let Code: String
        let ManagerID: String?
    }

    private struct Page<Row: Decodable>: Decodable {
        let value: [Row]
    }

    /// Returns the rows of a set.
    static func of<Row: Decodable>(_ set: String, as type: Row.Type, scale: Int) throws -> [Row] {
        let bytes = FieldServiceData.json(forSet: set, scale: scale)
        return try JSONDecoder().decode(Page<Row>.self, from: Data(bytes)).value
    }

    /// Returns the entity of a singleton.
    static func singleton<Row: Decodable>(_ name: String, as type: Row.Type) throws -> Row {
        try JSONDecoder().decode(Row.self, from: Data(FieldServiceData.json(forSet: name)))
    }
}
