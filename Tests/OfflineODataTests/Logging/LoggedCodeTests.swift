import Testing

@testable import OfflineValues
@testable import OfflineOData

/// Codes in log records say nothing that a service has written.
@Suite struct LoggedCodeTests {
    @Test(arguments: ["invalidURL", "duplicateKey", "httpStatus", "other", "404", "599", "100"])
    func tellsCodesOfTheEngineAndOfHTTP(_ code: String) {
        #expect(OfflineODataLogRecord.Value.code(code) == .text(code))
    }

    @Test(arguments: [
        "", "BadName", "Mueller-1234567", "600", "1234", "0404", "SY/530", "InvalidURL",
    ])
    func leavesCodesOfServicesOut(_ code: String) {
        #expect(OfflineODataLogRecord.Value.code(code) == nil)
    }
}
