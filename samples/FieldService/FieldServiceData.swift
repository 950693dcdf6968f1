/// The data of the sample service: believable, made by a seeded program, the same bytes on every platform.
///
/// Each set comes as the OData V4 JSON that `offline-odata import` and `serve --data` read. Now and then a row holds an
/// odd value on purpose: an empty string, the end of a number range, a far date, a key that must be escaped in a URL.
public enum FieldServiceData {
    /// Names of the entity sets and the singleton, each after those that it refers to.
    public static let setNames = [
        "Technicians", "Customers", "Sites", "Parts", "WorkOrders", "Tasks", "TimeEntries",
        "Attachments", "Depot",
    ]

    /// Returns the rows of a set as `{"value":[…]}`, or the entity of the singleton; empty for an unknown name.
    ///
    /// `scale` multiplies the number of rows; 1 gives about six thousand in all.
    public static func json(forSet name: String, scale: Int = 1) -> [UInt8] {
        let population = Population(scale: scale)
        var writer = JSONWriter()
        switch name {
        case "Technicians": population.writeTechnicians(to: &writer)
        case "Customers": population.writeCustomers(to: &writer)
        case "Sites": population.writeSites(to: &writer)
        case "Parts": population.writeParts(to: &writer)
        case "WorkOrders": population.writeWorkOrders(to: &writer)
        case "Tasks": population.writeTasks(to: &writer)
        case "TimeEntries": population.writeTimeEntries(to: &writer)
        case "Attachments": population.writeAttachments(to: &writer)
        case "Depot": population.writeDepot(to: &writer)
        default: break
        }
        return writer.bytes
    }

    /// Returns the media streams of the attachments, in the order of their rows.
    public static func mediaContents(scale: Int = 1) -> [MediaContent] {
        let population = Population(scale: scale)
        return (0..<population.attachments).map(population.mediaContent(ofAttachment:))
    }
}
