import TestSupport
import Testing

@Suite struct PolicyCommandTests {
    private static let file = """
        {"mobileBackends": {"HR/1.0": {"default": true, "synchronization": {
          "maxStoreSize": 50,
          "policies": [{"path": "incidents/*", "fetchPolicy": "FETCH_FROM_CACHE", "noCache": true}],
          "defaultPolicy": {"updatePolicy": "UPDATE_IF_OFFLINE"}}},
         "Travel/2.0": {"synchronization": {}}}}
        """

    @Test func showsEveryPolicyOnceWithItsLevel() async throws {
        let file = Self.file
        let end = try await Tool.run(
            "policy",
            "show",
            "-",
            "incidents/7",
            "--json",
            input: file
        )
        #expect(end.status == 0)
        #expect(
            end.output == """
                {"path":"incidents/7","policies":[\
                {"name":"fetchPolicy","value":"FETCH_FROM_CACHE","level":"path","pattern":"incidents/*"},\
                {"name":"expirationPolicy","value":"EXPIRE_ON_RESTART","level":"library","pattern":null},\
                {"name":"expireAfter","value":9223372036854775807,"level":"library","pattern":null},\
                {"name":"evictionPolicy","value":"MANUAL_EVICTION","level":"library","pattern":null},\
                {"name":"updatePolicy","value":"QUEUE_IF_OFFLINE","level":"service","pattern":null},\
                {"name":"conflictResolutionPolicy","value":"PRESERVE_CONFLICT","level":"library","pattern":null},\
                {"name":"noCache","value":true,"level":"path","pattern":"incidents/*"}],\
                "maxStoreSize":50,"periodicRefreshPolicy":"PERIODIC_REFRESH_POLICY_REFRESH_NONE",\
                "periodicRefreshInterval":120}

                """
        )
    }

    @Test func warnsAndGoesOn() async throws {
        let file = Self.file
        let end = try await Tool.run("policy", "check", "-", input: file)
        #expect(end.status == 0)
        #expect(end.output == "valid: HR/1.0 with 1 path, Travel/2.0 with 0 paths\n")
        #expect(end.errors.contains("line 4") && end.errors.contains("QUEUE_IF_OFFLINE"))
    }

    @Test func countsThePathTemplatesOfPlainREST() async throws {
        let file = """
            {"mobileBackends": {"HR": {}}, "syncExpress": {"handler": "OracleRestHandler",
            "policies": [{"path": "/departments/:id(\\\\d+)?"}, {"path": "/users/"}]}}
            """
        let end = try await Tool.run("policy", "check", "-", input: file)
        #expect(end.output == "valid: HR with 2 path templates\n")
    }

    @Test func refusesMistakesWithTheirPlace() async throws {
        let file = "{\"synchronization\":{\n\"defaultPolicy\":{\"noCache\":1}}}"
        let end = try await Tool.run("policy", "check", "-", input: file)
        let json = try await Tool.run("policy", "check", "-", "--json", input: file)
        #expect(end.status == 2)
        #expect(end.errors.contains("line 2, synchronization/defaultPolicy/noCache"))
        #expect(json.status == 2)
        #expect(try JSONValue(json.output)["error"]?["line"]?.text == "2")
    }

    @Test func namesTheServicesWhereNoneIsChosen() async throws {
        let file = Self.file
        let end = try await Tool.run(
            "policy",
            "show",
            "-",
            "x",
            "--backend",
            "Pay",
            input: file
        )
        #expect(end.status == 2)
        #expect(end.errors.contains("HR/1.0, Travel/2.0"))
    }
}
