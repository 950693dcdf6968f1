import ODataModel
import ODataPayload
import TestSupport
import Testing

/// What came out of a payload.
struct Reading {
    var lines: [String]
    var info: PageInfo

    var text: String { lines.joined(separator: "\n") }
}

/// Reads a payload in pieces of a size; what a recording of it tells later must be the same.
func readPayload(
    _ payload: [UInt8],
    _ model: EdmModel,
    set: String,
    pieces: Int = .max,
    isDelta: Bool = false,
    expecting expectation: PayloadExpectation = PayloadExpectation(),
    limits: PayloadLimits = PayloadLimits()
) throws -> Reading {
    let plans = ModelPlans(model)
    guard let plan = plans.plan(set: set) else { throw NoSuchSet(name: set) }
    func read(into sink: inout some EntitySink) throws -> PageInfo {
        var reader = PayloadReader(
            model: model,
            plan: plan,
            plans: plans,
            isDelta: isDelta,
            expecting: expectation,
            limits: limits
        )
        var start = 0
        while start < payload.count {
            let end = pieces > payload.count - start ? payload.count : start + pieces
            try reader.feed(payload.span.extracting(start..<end), into: &sink)
            start = end
        }
        return try reader.finish()
    }
    var sink = RecordingSink(plans)
    let info = try read(into: &sink)
    var recording = EntityRecording()
    _ = try read(into: &recording)
    var later = RecordingSink(plans)
    try recording.play(into: &later)
    #expect(later.lines == sink.lines)
    return Reading(lines: sink.lines, info: info)
}

func readPayload(
    _ payload: String,
    _ model: EdmModel = ShopModel.v4,
    set: String = "Customers",
    pieces: Int = .max,
    isDelta: Bool = false,
    expecting expectation: PayloadExpectation = PayloadExpectation(),
    limits: PayloadLimits = PayloadLimits()
) throws -> Reading {
    try readPayload(
        Array(payload.utf8),
        model,
        set: set,
        pieces: pieces,
        isDelta: isDelta,
        expecting: expectation,
        limits: limits
    )
}

/// Returns the error that a payload ends in; nil where it is read.
func failure(
    _ payload: String,
    _ model: EdmModel = ShopModel.v4,
    set: String = "Customers",
    expecting expectation: PayloadExpectation = PayloadExpectation(),
    limits: PayloadLimits = PayloadLimits()
) throws -> PayloadError? {
    do {
        _ = try readPayload(payload, model, set: set, expecting: expectation, limits: limits)
        return nil
    } catch let error as PayloadError {
        return error
    }
}

struct NoSuchSet: Error { var name: String }

/// A small shop: customers (open, with a derived type) have orders, which have items.
enum ShopModel {
    static let v4 = make(.v4)
    static let v2 = make(.v2)

    private static func property(
        _ name: String,
        _ type: PrimitiveType,
        _ facets: Facets = Facets()
    ) -> StructuralProperty {
        StructuralProperty(name: name, type: TypeReference(.primitive(type), facets: facets))
    }

    private static func make(_ version: ODataVersion) -> EdmModel {
        var model = EdmModel(version: version)
        var color = EnumType(name: "Shop.Color")
        color.members = [.init(name: "Red", value: 1), .init(name: "Blue", value: 2)]
        let colorID = model.add(color)
        var address = StructuredType(name: "Shop.Address", kind: .complex)
        address.properties = [property("City", .string), property("Zip", .int32)]
        let addressID = model.add(address)

        var item = StructuredType(name: "Shop.Item", kind: .entity)
        item.key = [KeyProperty(path: "ID")]
        item.properties = [property("ID", .int32), property("Name", .string)]
        let itemID = model.add(item)

        var order = StructuredType(name: "Shop.Order", kind: .entity)
        order.key = [KeyProperty(path: "ID")]
        order.properties = [
            property("ID", .int64),
            property("Total", .decimal, Facets(precision: 10, scale: .digits(2))),
            property("At", version.isV4 ? .dateTimeOffset : .dateTime),
        ]
        var items = NavigationProperty(name: "Items", targetName: "Shop.Item", target: itemID)
        items.isCollection = true
        order.navigationProperties = [items]
        let orderID = model.add(order)

        var customer = StructuredType(name: "Shop.Customer", kind: .entity)
        customer.key = [KeyProperty(path: "ID")]
        customer.isOpen = true
        customer.hasStream = true
        customer.properties = [
            property("ID", .string), property("Name", .string), property("Age", .int16),
            property("Balance", .decimal), property("Rating", .double),
            property("Active", .boolean),
            property("Key", .guid), property("Photo", .stream),
            StructuralProperty(name: "Color", type: TypeReference(.enumeration(colorID))),
            StructuralProperty(name: "Home", type: TypeReference(.structured(addressID))),
            StructuralProperty(
                name: "Tags",
                type: TypeReference(.primitive(.string), isCollection: true)
            ),
        ]
        var orders = NavigationProperty(name: "Orders", targetName: "Shop.Order", target: orderID)
        orders.isCollection = true
        let last = NavigationProperty(name: "LastOrder", targetName: "Shop.Order", target: orderID)
        customer.navigationProperties = [orders, last]
        let customerID = model.add(customer)

        var vip = StructuredType(name: "Shop.VIP", kind: .entity)
        vip.baseType = customerID
        vip.isOpen = true
        vip.properties = [property("Discount", .double)]
        model.add(vip)

        model.container = EntityContainer(name: "Shop.Container")
        model.container.entitySets = [
            EntitySet(name: "Customers", type: customerID),
            EntitySet(name: "Orders", type: orderID),
            EntitySet(name: "Items", type: itemID),
        ]
        return model
    }
}
