import Foundation
@testable import OfflinePolicies
import OfflineOData
import Testing

@testable import OfflineResources

/// The `syncExpress` settings of foreign configuration files.
@Suite struct ExpressConfigurationTests {
    private static let json = #"""
        {"mobileBackends":{"HR/1.0":{"default":true,"syncExpress":{"handler":"OracleRestHandler","policies":[
        {"path":"/departments/:deptId(\\d+)?/:_employees?/:empId(\\d+)?"},{"path":"/jobs/:jobId?"}]}}}}
        """#
    private static let propertyList = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>mobileBackends</key><dict><key>HR/1.0</key><dict>
        <key>default</key><true/><key>syncExpress</key><dict>
        <key>handler</key><string>OracleRestHandler</string><key>policies</key><array>
        <dict><key>path</key><string>/departments/:deptId(\d+)?/:_employees?/:empId(\d+)?</string></dict>
        <dict><key>path</key><string>/jobs/:jobId?</string></dict></array></dict></dict></dict></dict></plist>
        """#
    private static let xml = #"""
        <mobileBackends><mobileBackend><mbeName>HR</mbeName><mbeVersion>1.0</mbeVersion><default>true</default>
        <syncExpress><handler>OracleRestHandler</handler><policies>
        <policy><path>/departments/:deptId(\d+)?/:_employees?/:empId(\d+)?</path></policy>
        <policy><path>/jobs/:jobId?</path></policy></policies></syncExpress></mobileBackend></mobileBackends>
        """#
    /// Beside the services, as the settings of each.
    private static let beside = #"""
        {"mobileBackends":{"HR/1.0":{"default":true}},"syncExpress":{"handler":"OracleRestHandler","policies":[
        {"path":"/departments/:deptId(\\d+)?/:_employees?/:empId(\\d+)?"},{"path":"/jobs/:jobId?"}]}}
        """#

    private static func expected() throws -> PolicyConfiguration {
        var backend = BackendConfiguration(name: "HR/1.0")
        backend.isDefault = true
        backend.express = ExpressConfiguration(templates: [
            try RESTTemplate("/departments/:deptId(\\d+)?/:_employees?/:empId(\\d+)?"),
            try RESTTemplate("/jobs/:jobId?"),
        ])
        return PolicyConfiguration(backends: [backend])
    }

    @Test(arguments: [json, propertyList, xml, beside])
    func readsEveryFormat(_ text: String) throws {
        #expect(try PolicyConfiguration(reading: Array(text.utf8)) == Self.expected())
    }

    @Test(arguments: ConfigurationFormat.allCases)
    func writesWhatItReads(_ format: ConfigurationFormat) throws {
        let written = try Self.expected().written(as: format)
        #expect(ConfigurationFormat(recognizing: written) == format)
        #expect(try PolicyConfiguration(reading: written) == Self.expected())
        var backend = BackendConfiguration()
        backend.express = try Self.expected().backends[0].express
        let unnamed = PolicyConfiguration(backends: [backend])
        #expect(try PolicyConfiguration(reading: unnamed.written(as: format)) == unnamed)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int?
        let path: String
        let says: String

        init(_ text: String, line: Int?, path: String, says: String) {
            (self.text, self.line, self.path, self.says) = (text, line, path, says)
        }

        var testDescription: String { text }
    }

    private static func settings(_ text: String) -> String { "{\"syncExpress\":{\n\(text)\n}}" }
    private static let template = "\"policies\":[{\"path\":\"/a/:id\"}]"

    static let mistakes = [
        Mistake("{\"syncExpress\":\n3}", line: 2, path: "syncExpress", says: "object"),
        Mistake(
            settings("\"handler\":\"Other\"," + template),
            line: 2,
            path: "syncExpress/handler",
            says: "OracleRestHandler"
        ),
        Mistake(
            settings("\"handler\":\"OracleRestHandler\""),
            line: 1,
            path: "syncExpress",
            says: "'policies'"
        ),
        Mistake(settings("\"policy\":[]"), line: 2, path: "syncExpress/policy", says: "unknown"),
        Mistake(settings("\"policies\":3"), line: 2, path: "syncExpress/policies", says: "list"),
        Mistake(
            settings("\"policies\":[3]"),
            line: 2,
            path: "syncExpress/policies[1]",
            says: "object"
        ),
        Mistake(
            settings("\"policies\":[{}]"),
            line: 2,
            path: "syncExpress/policies[1]",
            says: "'path'"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"/a\",\n\"fetchPolicy\":\"FETCH_FROM_CACHE\"}]"),
            line: 3,
            path: "syncExpress/policies[1]/fetchPolicy",
            says: "unknown"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\n\"/:id\"}]"),
            line: 3,
            path: "syncExpress/policies[1]/path",
            says: "collection"
        ),
        Mistake(
            "{\"syncExpress\":{\(template)},\n\"synchronization\":{}}",
            line: 2,
            path: "synchronization",
            says: "not both"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{\"syncExpress\":{\(template)},\n\"synchronization\":{}}}}",
            line: 2,
            path: "mobileBackends/a/synchronization",
            says: "not both"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{\"synchronization\":{}}},\n\"syncExpress\":{\(template)}}",
            line: 2,
            path: "syncExpress",
            says: "'a'"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{\"sync\":{}}},\n\"syncExpress\":{\(template)}}",
            line: 2,
            path: "syncExpress",
            says: "'a'"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{\"syncExpress\":{\(template)},\n\"sync\":{}}}}",
            line: 2,
            path: "mobileBackends/a/sync",
            says: "not both"
        ),
    ]

    @Test(arguments: mistakes)
    func namesThePlace(_ mistake: Mistake) {
        let error = #expect(throws: PolicyConfigurationError.self) {
            _ = try PolicyConfiguration(reading: Array(mistake.text.utf8))
        }
        #expect(error?.line == mistake.line)
        #expect(error?.path == mistake.path)
        #expect(error?.message.contains(mistake.says) == true, "\(error?.message ?? "")")
    }

    @Test func overwritesTheVersionOfTheService() throws {
        var backend = try Self.expected().backends[0]
        func policy() -> ResolvedPolicy<ConflictResolutionPolicy> {
            PolicyResolver(configuration: backend).policy(for: "departments(1)", now: .now)
                .conflictResolutionPolicy
        }
        #expect(policy() == ResolvedPolicy(.clientWins, from: .service))
        backend.express = nil
        #expect(policy() == ResolvedPolicy(.preserveConflict, from: .library))
    }

    @Test func keepsItsTemplatesWithTheStore() async throws {
        let bench = try await PolicyBench()
        func kept() async throws -> String? {
            try await bench.engine.router.keptText("restTemplates")
        }
        try await bench.engine.keep(configuration: BackendConfiguration())
        #expect(try await kept() == nil)
        try await bench.engine.keep(configuration: Self.expected().backends[0])
        #expect(try await kept()?.contains("\"/jobs/:jobId?\"],\"overwrites\":true") == true)
        // Another configuration leaves the templates, without which the service is not known.
        try await bench.engine.keep(configuration: BackendConfiguration())
        #expect(try await kept()?.contains("\"/jobs/:jobId?\"],\"overwrites\":false") == true)
    }

    @Test func configuresTransportAndEngine() throws {
        let options = PolicyEngineOptions(express: try Self.expected().backend())
        #expect(options.sendsChangesBeforeReads)
        #expect(options.configuration?.express?.templates.count == 2)
    }
}
