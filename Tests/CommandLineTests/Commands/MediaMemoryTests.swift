import Foundation
import TestSupport
import Testing

/// The memory of a process that uploads a long stream.
#if os(Linux)
    @Suite struct MediaMemoryTests {
        private static let metadata = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Photo"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """

        private static let byteCount = TestScale.size(48, soak: 512) * 1_048_576
        /// What the pieces on their way may take, whatever the length: the file's cache, curl's buffers, a few pieces of 256 KiB.
        private static let allowedGrowth = 12 * 1_048_576

        /// Uploads a photo of so many bytes; answers the largest memory that the process had until the last byte was sent.
        private func peak(_ byteCount: Int) async throws -> Int {
            let scratch = try Scratch()
            let sink = try BodySink([
                "GET /$metadata": "200 \(Self.metadata)", "GET /Photos": #"200 {"value":[]}"#,
                "POST /Photos": #"201 {"ID":1}"#,
            ])
            defer { sink.stop() }
            try scratch.handle("photo").truncate(atOffset: UInt64(byteCount))
            let store = scratch.path("a.store")
            for arguments in [
                [
                    "open", store, "--service", "http://127.0.0.1:\(sink.port)/", "--query",
                    "P=Photos",
                ],
                [
                    "post", store, "Photos", "@" + scratch.path("photo"), "--content-type",
                    "image/png",
                ],
            ] {
                let outcome = try await Tool.run(arguments)
                try #require(outcome.status == 0, "\(outcome.errors)")
            }
            let upload = try SpawnedProcess(
                Tool.path,
                ["upload", store],
                errors: .file(scratch.path("errors"))
            )
            var bodies = sink.bodies.makeAsyncIterator()
            let length = await bodies.next()
            #expect(length == byteCount)
            let memory = try largestMemory(of: upload)
            sink.answer()
            let status = try await upload.status()
            let errors = try scratch.read("errors")
            #expect(status == 0, "\(errors)")
            return memory
        }

        /// `VmHWM` of the process, in bytes.
        private func largestMemory(of process: SpawnedProcess) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            let kibibytes = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
            return kibibytes * 1_024
        }

        @Test func sendsALongStreamInFlatMemory() async throws {
            let short = try await peak(1_048_576)
            let long = try await peak(Self.byteCount)
            #expect(
                long - short < Self.allowedGrowth,
                "\(short) bytes for 1 MiB, \(long) for \(Self.byteCount) bytes"
            )
        }
    }
#endif
