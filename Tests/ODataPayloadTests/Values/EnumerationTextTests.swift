import ODataValues
import ODataModel
import Testing

@Suite struct EnumerationTextTests {
    private static func model(isFlags: Bool) -> (EdmModel, ScalarForm) {
        var model = EdmModel(version: .v4)
        var type = EnumType(name: "NS.Pattern", underlyingType: .int32, isFlags: isFlags)
        type.members = [
            .init(name: "Plain", value: 0), .init(name: "Red", value: 1),
            .init(name: "Blue", value: 2), .init(name: "Purple", value: 3),
            .init(name: "Solid", value: 8),
        ]
        let form = ScalarForm.enumeration(model.add(type))
        return (model, form)
    }

    @Test(
        arguments: [
            ("Red", 1, "Red"), ("0", 0, "Plain"), ("Blue,Solid", 10, "Blue,Solid"),
            ("Red,Blue", 3, "Purple"), ("Purple, Solid", 11, "Purple,Solid"), ("9", 9, "Red,Solid"),
            ("16", 16, "16"), ("-1", -1, "-1"), ("Solid,Red", 9, "Red,Solid"),
            ("Solid,+2", 10, "Blue,Solid"),
        ] as [(String, Int64, String)]
    )
    func readsAndWritesFlags(_ text: String, _ value: Int64, _ written: String) {
        let (model, form) = Self.model(isFlags: true)
        #expect(parse(text, form, model)?.scalar == .integer(value))
        var output: [UInt8] = []
        form.write(.integer(value), in: model, into: &output)
        #expect(String(decoding: output, as: UTF8.self) == written)
    }

    @Test(arguments: ["Red", "3", "Purple"])
    func readsSingleMembers(_ text: String) {
        let (model, form) = Self.model(isFlags: false)
        #expect(parse(text, form, model) != nil)
    }

    @Test(arguments: ["", "red", "Green", "Red,Blue", "2147483648", "Red,", ",Red", "Red Blue"])
    func refusesWhatIsNoMember(_ text: String) {
        let (model, form) = Self.model(isFlags: false)
        #expect(parse(text, form, model) == nil)
    }

    @Test func writesTheNumberWhereMembersDoNotMakeUpTheValue() {
        let (model, form) = Self.model(isFlags: false)
        var output: [UInt8] = []
        form.write(.integer(9), in: model, into: &output)
        #expect(String(decoding: output, as: UTF8.self) == "9")
    }
}
