#if os(Linux)
    import Testing

    /// Which libraries a command loads: to load that of the network takes longer than many a local answer.
    @Suite struct LibraryLoadingTests {
        @Test(arguments: [
            ["get", "library.store", "Books(10)"],
            ["sets", "library.store"],
            ["status", "library.store"],
            ["patch", "library.store", "Books(10)", #"{"Title": "X"}"#],
        ])
        func loadsNoNetworkLibraryForLocalWork(_ arguments: [String]) async throws {
            let (service, scratch) = try await Self.opened()

            let libraries = try await Tool.librariesLoaded(by: arguments, in: scratch)

            #expect(libraries.contains("libsqlite3"))
            #expect(!libraries.contains("libcurl"))
            withExtendedLifetime(service) {}
        }

        @Test func loadsTheNetworkLibraryToDownload() async throws {
            let (service, scratch) = try await Self.opened()

            let libraries = try await Tool.librariesLoaded(
                by: ["download", "library.store"],
                in: scratch
            )

            #expect(libraries.contains("libcurl"))
            withExtendedLifetime(service) {}
        }

        private static func opened() async throws -> (service: RunningTool, scratch: Scratch) {
            let (service, root, scratch) = try await Library.service()
            let open = ["open", "library.store", "--service", root, "--query", "B=Books"]
            let outcome = try await Tool.run(open, in: scratch)
            guard outcome.status == 0 else { throw ToolFailure(outcome: outcome) }
            return (service, scratch)
        }
    }
#endif
