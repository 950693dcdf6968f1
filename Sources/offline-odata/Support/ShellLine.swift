import CommandSupport

/// A line of the shell, cut into words.
///
/// URLs may hold spaces and quotes (`$filter=Name eq 'A B'`) and bodies are JSON, so a line is not cut as a system's shell
/// would: for requests everything up to a body or an option is the URL, and a body reaches to the next option.
enum ShellLine {
    /// The commands that work on a store and make sense in a shell.
    static let commands: [any Command.Type] = [
        SetsCommand.self, GetCommand.self, PostCommand.self, PatchCommand.self, PutCommand.self,
        DeleteCommand.self, QueueCommand.self, ErrorsCommand.self, WhyCommand.self,
        ConflictCommand.self,
        ResolveCommand.self,
        UndoCommand.self, EventsCommand.self,
        StatusCommand.self, QueryCommand.self, UploadCommand.self, DownloadCommand.self,
        SyncCommand.self, CheckCommand.self, BatchCommand.self, ImportCommand.self,
        ExportCommand.self,
    ]

    /// What the shell itself understands.
    static let ownWords = ["help", "exit", "quit", ".help", ".exit", ".quit"]

    private static let withAction = ["queue", "errors", "resolve"]
    private static let withBody = ["post", "patch", "put"]
    private static let requests = withBody + ["get", "delete", "why", "conflict", "undo"]

    /// Returns the command's name and its words; none for an empty line and a remark after a number sign.
    static func words(of line: String) -> [String] {
        let line = trimmed(line[...])
        guard !line.isEmpty, !line.hasPrefix("#") else { return [] }
        let name = String(line.prefix { $0 != " " })
        let rest = trimmed(line.dropFirst(name.count))
        let options = optionStart(rest)
        if withAction.contains(name) {
            return [name] + actionWords(trimmed(rest[..<options]), named: name)
                + plainWords(rest[options...])
        }
        guard requests.contains(name) else { return [name] + plainWords(rest) }
        let request = trimmed(rest[..<options])
        if let words = quotedWords(request) { return [name] + words + plainWords(rest[options...]) }
        let words = withBody.contains(name) ? requestWords(request) : [String(request)]
        return [name] + words.filter { !$0.isEmpty } + plainWords(rest[options...])
    }

    /// Puts the store where the command expects it: after an action, if there is one.
    static func operands(_ words: [String], of name: String, store: String) -> [String] {
        if name == "query", words.isEmpty { return ["list", store] }
        let hasAction =
            ["query", "queue", "errors"].contains(name) && words.first?.hasPrefix("-") == false
        guard hasAction, let action = words.first else { return [store] + words }
        return [action, store] + words.dropFirst()
    }

    // MARK: Cutting

    /// Where ` --name` begins, outside of any string of JSON or OData.
    private static func optionStart(_ text: Substring) -> Substring.Index {
        var quote: Character?
        var previous: Character = " "
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if let open = quote {
                if character == open, previous != "\\" { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if previous == " ", text[index...].hasPrefix("--") {
                return index
            }
            previous = character
            index = text.index(after: index)
        }
        return text.endIndex
    }

    /// Words in the quotes that a system's shell needs, as examples have them; nil where the first word has none: no URL begins
    /// with a quotation mark.
    private static func quotedWords(_ text: Substring) -> [String]? {
        var words: [String] = []
        var rest = text
        while let mark = rest.first {
            guard mark == "'" || mark == "\"", let end = closing(mark, of: rest) else {
                return words.isEmpty ? nil : words + [String(rest)]
            }
            let word = rest[rest.index(after: rest.startIndex)..<end]
            words.append(mark == "'" ? String(word) : unescaped(word))
            rest = trimmed(rest[rest.index(after: end)...])
        }
        return words.isEmpty ? nil : words
    }

    /// What a system's shell makes of a word in double quotes.
    private static func unescaped(_ word: Substring) -> String {
        String(word.replacing(/\\([$"\\`])/) { $0.1 })
    }

    /// The mark that closes a word: a space or nothing stands behind it.
    private static func closing(_ mark: Character, of text: Substring) -> Substring.Index? {
        text.indices.dropFirst().first { index in
            text[index] == mark && text[text.index(before: index)] != "\\"
                && (text.index(after: index) == text.endIndex
                    || text[text.index(after: index)] == " ")
        }
    }

    /// URL and body: the body begins with a brace, a bracket, `@` or a single dash, a space before it.
    private static func requestWords(_ text: Substring) -> [String] {
        guard !text.isEmpty else { return [] }
        var quote = false
        var previous: Character = "("
        for index in text.indices {
            let character = text[index]
            if !quote, previous == " ", let body = quotedBody(text[index...]) {
                return [String(trimmed(text[..<index])), body]
            }
            if character == "'" { quote.toggle() }
            if !quote, previous == " ", "{[@-".contains(character), isBody(text[index...]) {
                return [String(trimmed(text[..<index])), String(text[index...])]
            }
            previous = character
        }
        return [String(text)]
    }

    /// A body of JSON in the quotes that a system's shell needs; nil for anything else.
    private static func quotedBody(_ text: Substring) -> String? {
        guard let mark = text.first, mark == "'" || mark == "\"", text.count > 2,
            text.last == mark
        else { return nil }
        let inner = text.dropFirst().dropLast()
        guard inner.first == "{" || inner.first == "[" else { return nil }
        return mark == "'" ? String(inner) : unescaped(inner)
    }

    /// Words and a body after them; of `resolve` the last word before the body is no part of the URL.
    private static func actionWords(_ text: Substring, named name: String) -> [String] {
        let parts = requestWords(text)
        guard let before = parts.first else { return [] }
        let body = parts.dropFirst()
        guard name == "resolve", let space = before.lastIndex(of: " ") else {
            return plainWords(before[...]) + body
        }
        return [String(trimmed(before[..<space])), String(before[before.index(after: space)...])]
            + body
    }

    /// `-` alone, `@FILE` without spaces, or JSON; `@p` inside an expression is followed by more.
    private static func isBody(_ text: Substring) -> Bool {
        switch text.first {
        case "-": text == "-"
        case "@": !text.contains(" ")
        default: true
        }
    }

    /// Words between spaces, quotes around them taken away.
    private static func plainWords(_ text: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " || character == "\t" {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" || last == "\r" {
            text.removeLast()
        }
        return text
    }
}
