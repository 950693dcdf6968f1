import Testing

/// What is said to a service for each of its answers, and what the store makes of them.
@Suite struct TalkTests {
    @Test(arguments: TalkScript.uploads)
    func uploadsAccordingToEachAnswer(_ script: TalkScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: TalkScript.losses)
    func settlesLostAnswers(_ script: TalkScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: TalkScript.downloads)
    func downloadsAccordingToEachAnswer(_ script: TalkScript) async throws {
        try await Self.check(script)
    }

    @Test(arguments: TalkScript.openTypes)
    func keepsWhatNoMetadataDeclares(_ script: TalkScript) async throws {
        try await Self.check(script)
    }

    private static func check(_ script: TalkScript) async throws {
        let transcript = try await script.transcript()
        #expect(transcript == script.text, "\(transcript)")
    }
}
