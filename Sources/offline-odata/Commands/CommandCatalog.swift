import CommandSupport
import MetadataCommands
import ODataProtocol

/// All commands, by what they are about.
enum CommandCatalog {
    private static let groups: [(title: String, commands: [any Command.Type])] = [
        (
            "Look at metadata and URLs, without a store",
            MetadataCommandList.documents
        ),
        (
            "Keep a store in step with its service",
            [
                OpenCommand.self, QueryCommand.self, DownloadCommand.self, UploadCommand.self,
                SyncCommand.self, RunCommand.self, StatusCommand.self, ClearCommand.self,
            ]
        ),
        (
            "Work with a store, online or not",
            [
                SetsCommand.self, GetCommand.self, PostCommand.self, PatchCommand.self,
                PutCommand.self,
                DeleteCommand.self, BatchCommand.self, IndexCommand.self, ShellCommand.self,
            ]
        ),
        (
            "Say where reads are answered from, and what is kept of them",
            [
                MetadataCommandList.policies, PolicyShowCommand.self, PolicyUseCommand.self,
                PolicySetCommand.self, PolicyRefreshCommand.self, PolicyEvictCommand.self,
            ]
        ),
        (
            "See what waits and what was refused",
            [
                QueueCommand.self, ErrorsCommand.self, WhyCommand.self, ConflictCommand.self,
                ResolveCommand.self,
                UndoCommand.self, IdentifyCommand.self, EventsCommand.self,
            ]
        ),
        (
            "Files",
            [
                ImportCommand.self, ExportCommand.self, CheckCommand.self,
                MetadataCommandList.rehearsal,
                RekeyCommand.self,
            ]
        ),
        (
            "Run a service, see it all at work",
            [ServeCommand.self, DemoCommand.self, CompletionCommand.self]
        ),
    ]

    static var commands: [any Command.Type] { groups.flatMap(\.commands) }

    /// What the commands are called, in the same order.
    private static var names: [String] { commands.map { $0.name } }

    /// Returns the command that the first one or two words name, and the words after them.
    ///
    /// - Throws: ``CommandFailure`` (invalid) with the nearest name that is known.
    static func find(_ words: [String]) throws(CommandFailure) -> (
        command: any Command.Type, rest: ArraySlice<String>
    ) {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let command = commands.first(where: { $0.name == name }) {
                return (command, words.dropFirst(count))
            }
        }
        throw unknown(words)
    }

    private static func unknown(_ words: [String]) -> CommandFailure {
        let first = words.first ?? ""
        let members = names.filter { $0.hasPrefix(first + " ") }
        if !members.isEmpty, words.count > 1, !words[1].hasPrefix("-"),
            let nearest = NearestName.of(
                words[1],
                among: members.map { String($0.dropFirst(first.count + 1)) }
            )
        {
            return .usage(
                "there is no command '\(first) \(words[1])'; did you mean `\(first) \(nearest)`?"
            )
        }
        guard members.isEmpty else {
            let isNamed = words.count > 1 && !words[1].hasPrefix("-")
            return .usage(
                isNamed
                    ? "there is no command '\(first) \(words[1])'"
                    : "`\(first)` needs another word",
                advice: "One of: " + members.joined(separator: ", ")
            )
        }
        let known = names + names.map { String($0.prefix { $0 != " " }) }
        let nearest = NearestName.of(first, among: known)
        return .usage(
            "there is no command '\(first)'" + (nearest.map { "; did you mean `\($0)`?" } ?? ""),
            advice: "`\(CommandSyntax.program) --help` lists them."
        )
    }

    /// Returns the help for the command that the words name, or for the commands that begin with the first word.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where there is none.
    static func help(for words: [String]) throws(CommandFailure) -> String {
        let words = words.filter { !$0.hasPrefix("-") }
        let members = commands.filter { $0.name.hasPrefix((words.first ?? "") + " ") }
        if words.count == 1, !members.isEmpty {
            return members.map { $0.syntax.help }.joined(separator: "\n\n\n")
        }
        return try find(words).command.syntax.help
    }

    /// The list of all commands as JSON.
    static var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.objects("commands", items: commands) { writer, command in
            writer.member("name", value: command.name)
            writer.member("summary", value: command.syntax.summary)
            writer.member("forms", values: command.syntax.forms)
        }
        writer.endObject()
        return writer.bytes
    }

    /// The list of all commands.
    static var overview: String {
        var lines = ["offline-odata: OData that keeps working offline", ""]
        for group in groups {
            lines.append(group.title + ":")
            let rows = group.commands.map { ($0.name, $0.syntax.summary) }
            lines += HelpText.table(rows, sharingWidthOf: names)
            lines.append("")
        }
        lines.append("`offline-odata COMMAND --help` shows more, with examples.")
        return lines.joined(separator: "\n")
    }
}
