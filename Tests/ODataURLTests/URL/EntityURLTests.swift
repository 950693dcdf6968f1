import ODataValues
import ODataBinding
import ODataModel
import ODataURL
import TestSupport
import Testing

@Suite struct EntityURLTests {
    private static let types: [PrimitiveType] = [
        .string, .int32, .int64, .byte, .boolean, .guid, .dateTimeOffset, .decimal, .double,
        .binary,
    ]

    private func write(
        _ set: String,
        _ key: [Scalar],
        _ version: ODataVersion = .v4
    ) throws -> String? {
        let source = try #require(ModelSketch.shop.navigationSource(named: set))
        return EntityURL(model: ModelSketch.shop, version: version).canonical(source, key: key)
    }

    @Test func writesSimpleAndCompoundKeys() throws {
        #expect(try write("Products", [.integer(5)]) == "Products(5)")
        #expect(try write("Items", [.integer(1), .integer(-2)]) == "Items(OrderID=1,No=-2)")
        #expect(try write("Best", []) == "Best")
    }

    @Test func doublesQuotesAndEncodesTheRest() throws {
        let url = try write("Orders", [.text("O'Neil/ä b%(1)+?&#")])
        #expect(url == "Orders('O''Neil%2F%C3%A4%20b%25%281%29%2B%3F%26%23')")
    }

    @Test func refusesKeysThatDoNotFit() throws {
        #expect(try write("Products", []) == nil)
        #expect(try write("Products", [.null]) == nil)
        #expect(try write("Items", [.integer(1)]) == nil)
    }

    @Test func writesLocalIds() throws {
        let writer = EntityURL(model: ModelSketch.shop, version: .v4)
        let source = try #require(ModelSketch.shop.navigationSource(named: "Products"))
        let url = writer.local(source, id: "0123456789abcdef0123456789abcdef")
        #expect(url == "Products($local='0123456789abcdef0123456789abcdef')")
    }

    @Test func writesContainedEntitiesBelowTheirParent() throws {
        let order = try #require(ModelSketch.shop.structuredType(named: "NS.Order"))
        let notes = try #require(ModelSketch.shop.navigationProperty("Notes", of: order))
        let url = EntityURL(model: ModelSketch.shop, version: .v4)
            .contained(in: "Orders('a')", property: notes, key: [.integer(3)])
        #expect(url == "Orders('a')/Notes(3)")
    }

    struct Form: CustomTestStringConvertible {
        let type: PrimitiveType
        let value: Scalar
        let current: String
        let older: String
        var testDescription: String { type.rawValue }
    }

    @Test(arguments: [
        Form(type: .int64, value: .integer(7), current: "7", older: "7L"),
        Form(type: .boolean, value: .integer(1), current: "true", older: "true"),
        Form(type: .double, value: .real(1.5), current: "1.5", older: "1.5d"),
        Form(
            type: .guid,
            value: .blob(Array(0..<16)),
            current: "00010203-0405-0607-0809-0a0b0c0d0e0f",
            older: "guid'00010203-0405-0607-0809-0a0b0c0d0e0f'"
        ),
        Form(
            type: .dateTimeOffset,
            value: .integer(0),
            current: "0001-01-01T00:00:00Z",
            older: "datetimeoffset'0001-01-01T00:00:00Z'"
        ),
        Form(
            type: .dateTime,
            value: .integer(0),
            current: "0001-01-01T00:00:00Z",
            older: "datetime'0001-01-01T00:00:00'"
        ),
        Form(
            type: .timeOfDay,
            value: .integer(36_000_000_000),
            current: "01:00:00",
            older: "time'PT1H'"
        ),
        Form(
            type: .duration,
            value: .integer(36_000_000_000),
            current: "duration'PT1H'",
            older: "time'PT1H'"
        ),
        Form(type: .binary, value: .blob([10, 255]), current: "binary'Cv8='", older: "X'0AFF'"),
    ])
    func writesTheLiteralsOfEachVersion(_ form: Form) {
        let type = TypeReference(.primitive(form.type))
        let model = EdmModel(version: .v4)
        #expect(URLLiteral(model: model, version: .v4).text(form.value, type) == form.current)
        #expect(URLLiteral(model: model, version: .v2).text(form.value, type) == form.older)
    }

    @Test(arguments: [ODataVersion.v401, .v4, .v2], Self.types)
    func readsBackWhatItWrote(_ version: ODataVersion, _ type: PrimitiveType) throws {
        let model = ModelSketch.model(
            "entity NS.T\nkey A B\nA \(type.rawValue)\nB Edm.String\nset Ts NS.T"
        )
        let writer = EntityURL(model: model, version: version)
        var generator = SeededGenerator(seed: 20_260)
        for _ in 0..<200 {
            let key = [Self.value(type, &generator), .text(Self.text(&generator))]
            let url = try #require(writer.canonical(.entitySet(0), key: key))
            let request = try BoundRequest(parsing: url, in: model, version: version)
            guard case .entities(let path) = request.resource,
                case .key(let read)? = path.steps.first
            else {
                Issue.record("\(url) is no key")
                return
            }
            #expect(read == key, "\(url)")
        }
    }

    @Test(arguments: [ODataVersion.v401, .v4, .v2], Self.types)
    func writesKeysOfOnePropertyAsAnyOther(_ version: ODataVersion, _ type: PrimitiveType) throws {
        let model = ModelSketch.model("entity NS.T\nkey A\nA \(type.rawValue)\nset Ts NS.T")
        let writer = EntityURL(model: model, version: version)
        let keyed = try #require(KeyedURL(.entitySet(0), in: model, version: version))
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            let key = Self.value(type, &generator)
            #expect(keyed.url(key) == writer.canonical(.entitySet(0), key: [key]))
        }
        #expect(keyed.url(.null) == nil)
    }

    @Test func hasKeysOfOnePropertyForSetsAlone() throws {
        let model = ModelSketch.shop
        for name in ["Items", "Best"] {
            let source = try #require(model.navigationSource(named: name))
            #expect(KeyedURL(source, in: model, version: .v4) == nil)
        }
    }

    private static func value(_ type: PrimitiveType, _ generator: inout SeededGenerator) -> Scalar {
        switch type {
        case .string: .text(text(&generator))
        case .int32: .integer(Int64(Int32.random(in: .min ... .max, using: &generator)))
        case .int64: .integer(Int64.random(in: .min ... .max, using: &generator))
        case .byte: .integer(Int64.random(in: 0...255, using: &generator))
        case .boolean: .integer(Int64.random(in: 0...1, using: &generator))
        case .guid: .blob((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case .binary:
            .blob((0..<Int.random(in: 0...9, using: &generator)).map { UInt8($0 * 28) })
        case .dateTimeOffset:
            .integer(Int64.random(in: 0...3_155_378_975_999_999_999, using: &generator))
        case .double: .real(Double.random(in: -1e20...1e20, using: &generator))
        default: decimal(&generator)
        }
    }

    private static func decimal(_ generator: inout SeededGenerator) -> Scalar {
        let digits =
            "\(Int64.random(in: .min ... .max, using: &generator)).\(Int.random(in: 0...999, using: &generator))"
        return DecimalText(Array(digits.utf8).span).map { .text($0.encoded) } ?? .null
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let pool: [Unicode.Scalar] = [
            "'", "/", "?", "#", "%", "&", "=", "+", " ", "(", ")", ",", ";", "ä", "\u{301}", "𝄞",
            "a", "\u{0}",
            "$", "@", "\"", "\\", "~",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            text.append(pool[Int.random(in: 0..<pool.count, using: &generator)])
        }
        return String(text)
    }
}
