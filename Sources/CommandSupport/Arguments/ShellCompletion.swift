/// Scripts for the completion of command lines, made from the syntax of the commands.
public struct ShellCompletion {
    private let commands: [CommandSyntax]

    /// Creates the scripts of these commands.
    public init(commands: [CommandSyntax]) {
        self.commands = commands
    }

    // MARK: Tables

    /// First words, and what can follow those that have a second one.
    private var words: [(first: String, seconds: [String])] {
        var result: [(first: String, seconds: [String])] = []
        for command in commands {
            let parts = command.name.split(separator: " ").map(String.init)
            if let index = result.firstIndex(where: { $0.first == parts[0] }) {
                result[index].seconds += parts.dropFirst()
            } else {
                result.append((parts[0], Array(parts.dropFirst())))
            }
        }
        return result
    }

    /// The actions of a command, such as `list` and `add`: words in small letters with which a form begins.
    public static func actions(of command: CommandSyntax) -> [String] {
        command.forms.flatMap { form -> [String] in
            let first = form.prefix { $0 != " " }
            guard !first.isEmpty, !first.hasPrefix("-"), isWordList(first) else { return [] }
            return first.split(separator: "|").map(String.init)
        }
    }

    /// The words of a fixed set that stand later in a form, such as `before|after`.
    public static func choices(of command: CommandSyntax) -> [String] {
        var found: [String] = []
        for form in command.forms {
            for word in form.split(separator: " ").dropFirst()
            where word.contains("|") && isWordList(word) {
                found += word.split(separator: "|").map(String.init).filter { !found.contains($0) }
            }
        }
        return found
    }

    /// The values of an option that takes one of a fixed set.
    public static func values(of option: OptionSyntax) -> [String] {
        guard option.values.isEmpty else { return option.values }
        guard let form = option.placeholder, form.contains("|"), isWordList(form[...]) else {
            return []
        }
        return form.split(separator: "|").map(String.init)
    }

    private static func isWordList(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "|")
                || byte == UInt8(ascii: "-")
        }
    }

    /// What the scripts look up, a line for each entry: `key) reply="words" ;;`.
    private func cases(_ indentation: String) -> (seconds: String, words: String, values: String) {
        let seconds = words.filter { !$0.seconds.isEmpty }.map {
            "\(indentation)\($0.first)) reply=\"\($0.seconds.joined(separator: " "))\" ;;"
        }
        let own = commands.map { command in
            let options = command.allOptions.map { "--" + $0.name } + ["--help"]
            var all: [String] = []
            for word in Self.actions(of: command) + Self.choices(of: command) + options
            where !all.contains(word) {
                all.append(word)
            }
            return "\(indentation)\"\(command.name)\") reply=\"\(all.joined(separator: " "))\" ;;"
        }
        let values = commands.flatMap { command in
            command.allOptions.compactMap { option -> String? in
                let values = Self.values(of: option)
                guard !values.isEmpty else { return nil }
                return "\(indentation)\"\(command.name) --\(option.name)\")"
                    + " reply=\"\(values.joined(separator: " "))\" ;;"
            }
        }
        return (
            seconds.joined(separator: "\n"), own.joined(separator: "\n"),
            values.joined(separator: "\n")
        )
    }

    private var firstWords: String {
        (words.map(\.first) + ["help", "--help", "--version"]).joined(separator: " ")
    }

    /// The function that both shells share: sets `reply` for the words before the one that is completed.
    private func lookup(_ indentation: String) -> String {
        let cases = cases("        ")
        return """
            _offline_odata_words() {
                # Arguments: first word, second word, the word before the one that is completed.
                local command="$1"
                reply=""
                case "$1" in
            \(cases.seconds)
                esac
                if [ -n "$reply" ]; then
                    case " $reply " in *" $2 "*) [ -n "$2" ] && command="$1 $2" ;; *) return ;; esac
                fi
                reply=""
                case "$command $3" in
            \(cases.values)
                esac
                [ -n "$reply" ] && return
                case "$command" in
            \(cases.words)
                esac
            }
            """
    }

    // MARK: Scripts

    /// For bash: `COMPREPLY` by way of `complete -F`.
    public var bash: String {
        """
        # Completion of offline-odata for bash; made by `offline-odata completion bash`.
        \(lookup(""))

        _offline_odata() {
            local reply current="${COMP_WORDS[COMP_CWORD]}"
            COMPREPLY=()
            if [ "$COMP_CWORD" -le 1 ]; then
                COMPREPLY=($(compgen -W "\(firstWords)" -- "$current"))
                return
            fi
            local first="${COMP_WORDS[1]}" second="" before="${COMP_WORDS[COMP_CWORD - 1]}"
            [ "$COMP_CWORD" -gt 2 ] && second="${COMP_WORDS[2]}"
            [ "$first" = help ] && { COMPREPLY=($(compgen -W "\(firstWords)" -- "$current")); return; }
            _offline_odata_words "$first" "$second" "$before"
            # Without a word that was begun, files come before options.
            [ -z "$current" ] && reply="${reply%%--*}"
            [ -n "$reply" ] && COMPREPLY=($(compgen -W "$reply" -- "$current"))
        }

        complete -o default -F _offline_odata \(CommandSyntax.program)

        """
    }

    /// For zsh: `compadd` in a function of `fpath`, or sourced after `compinit`.
    public var zsh: String {
        """
        #compdef \(CommandSyntax.program)
        # Completion of offline-odata for zsh; made by `offline-odata completion zsh`.
        \(lookup(""))

        _offline_odata() {
            local reply
            if (( CURRENT <= 2 )); then
                compadd -- \(firstWords)
                return
            fi
            local first="${words[2]}" second="" before="${words[CURRENT-1]}"
            (( CURRENT > 3 )) && second="${words[3]}"
            [[ "$first" = help ]] && { compadd -- \(firstWords); return }
            _offline_odata_words "$first" "$second" "$before"
            if [[ -n "$reply" ]]; then
                compadd -- ${=reply}
            fi
            _files
        }

        if [ "${funcstack[1]}" = "_\(CommandSyntax.program)" ]; then
            _offline_odata "$@"
        else
            compdef _offline_odata \(CommandSyntax.program)
        fi

        """
    }
}
