import Testing

/// Rows and queue before, an event, rows and queue after; one event at a time, without HTTP.
@Suite struct SeamTests {
    @Test(arguments: SeamScript.uploads)
    func recordsAnswers(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.identities)
    func takesOverKeys(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.downloads)
    func mergesPages(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.queues)
    func keepsTheOrderOfRequests(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.freedoms)
    func acceptsWhatServicesMayAnswer(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.coverages)
    func keepsWhatQueriesHold(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.orders)
    func ordersRequests(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.conflicts)
    func settlesConflicts(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.links)
    func mergesLinks(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.keys)
    func namesWhatTheServiceHasNamed(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.streams)
    func ordersStreams(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.oldVersions)
    func speaksVersion2(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.recreations)
    func createsAnewAndTakesForDone(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.deeps)
    func takesChangesApart(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.groups)
    func groupsRequests(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.standings)
    func comparesVersions(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.deltas)
    func mergesDeltas(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.parts)
    func followsEveryPartOfAKey(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: SeamScript.names)
    func followsWhatIsNamedAnew(_ script: SeamScript) async throws {
        try await Self.check(script)
    }

    /// Queries beyond those that have a bit of their own hold rows as these do.
    @Test(arguments: SeamScript.coverages + SeamScript.downloads + SeamScript.links)
    func keepsWhatOneQueryOfManyHolds(_ script: SeamScript) async throws {
        try await Self.check(script, hasManyQueries: true)
    }

    private static func check(_ script: SeamScript, hasManyQueries: Bool = false) async throws {
        let transcript = try await script.transcript(hasManyQueries: hasManyQueries)
        #expect(transcript == script.text.trimmedLines, "\(transcript)")
    }
}

extension String {
    fileprivate var trimmedLines: String {
        split(separator: "\n").map(String.init).joined(separator: "\n")
    }
}
