import OfflinePolicies
import Testing

@Suite struct RESTTemplateTests {
    @Test(arguments: [
        "/departments/:deptId(\\d+)/:_employees?/:empId(\\d+)?", "/items", "items/:id",
        "/a/b/:key?",
    ])
    func readsTemplates(_ text: String) throws {
        #expect(try RESTTemplate(text).text == text)
    }

    @Test(arguments: ["", "/", "/:id", "/items/:", "/items/:a-b", "/items/:id(\\d+", "/items/:_"])
    func rejectsWhatIsNone(_ text: String) {
        #expect(throws: PolicyConfigurationError.self) { try RESTTemplate(text) }
    }
}
