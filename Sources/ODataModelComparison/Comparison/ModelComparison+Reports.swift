import ODataModel
import ODataText

/// The comparison in the forms that build servers read.
extension ModelComparison {
    /// Returns JUnit XML: a test case for each change, a failure for what stores cannot follow.
    ///
    /// - Parameter suite: Name of the suite, such as the names of both documents.
    public func junit(suite: String) -> String {
        let failures = changes.filter { $0.isBreaking }.count
        let skipped = changes.filter(\.isAllowed).count
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites>",
            "  <testsuite name=\"\(XMLText.escaped(suite, replacesControls: true))\" tests=\"\(max(1, changes.count))\""
                + " failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\">",
        ]
        if changes.isEmpty {
            lines.append("    <testcase classname=\"metadata\" name=\"identical\"/>")
        }
        lines += changes.flatMap(ModelComparison.testCase)
        lines += ["  </testsuite>", "</testsuites>"]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func testCase(_ change: ModelChange) -> [String] {
        let name = change.path.isEmpty ? "document" : change.path
        let head =
            "    <testcase classname=\"\(change.ruleID)\" name=\"\(XMLText.escaped(name, replacesControls: true))\""
        let detail = XMLText.escaped(change.sentence, replacesControls: true)
        if change.isBreaking {
            return [
                head + ">",
                "      <failure type=\"\(change.ruleID)\" message=\"\(detail)\"/>",
                "    </testcase>",
            ]
        }
        if change.isAllowed {
            return [
                head + ">", "      <skipped message=\"allowed: \(detail)\"/>", "    </testcase>",
            ]
        }
        return [head + ">", "      <system-out>\(detail)</system-out>", "    </testcase>"]
    }

    /// Returns SARIF 2.1.0: a result for each change; allowed ones are suppressed.
    ///
    /// - Parameters:
    ///   - uri: The new document, which the results are about.
    ///   - places: The lines of its elements; results have no lines without them.
    public func sarif(uri: String, places: ModelPlaces? = nil) -> String {
        var json = IndentedJSON()
        json.object { json in
            json.string("$schema", value: "https://json.schemastore.org/sarif-2.1.0.json")
            json.string("version", value: "2.1.0")
            json.array("runs", of: [self]) { json, comparison in
                json.object("tool") { json in
                    json.object("driver") { json in
                        json.string("name", value: "offline-odata metadata diff")
                        json.array(
                            "rules",
                            of: CompatibilityRule.all,
                            content: ModelComparison.write
                        )
                    }
                }
                json.array("results", of: comparison.changes) { json, change in
                    ModelComparison.write(
                        change,
                        at: uri,
                        line: places?.line(of: change.path),
                        to: &json
                    )
                }
            }
        }
        return json.text + "\n"
    }

    private static func write(_ json: inout IndentedJSON, rule: CompatibilityRule) {
        json.string("id", value: rule.id)
        json.object("shortDescription") { $0.string("text", value: rule.text) }
        json.object("fullDescription") { $0.string("text", value: rule.reason) }
        json.object("defaultConfiguration") { $0.string("level", value: rule.effect.level) }
    }

    private static func write(
        _ change: ModelChange,
        at uri: String,
        line: Int?,
        to json: inout IndentedJSON
    ) {
        json.string("ruleId", value: change.ruleID)
        json.string("level", value: change.effect.level)
        json.object("message") { $0.string("text", value: change.sentence) }
        json.array("locations", of: [change]) { json, change in
            json.object("physicalLocation") { json in
                json.object("artifactLocation") {
                    $0.string("uri", value: PercentEncoding.encoded(uri, keeping: "/:"))
                }
                if let line { json.object("region") { $0.number("startLine", value: line) } }
            }
            json.array("logicalLocations", of: [change]) { json, change in
                json.string("fullyQualifiedName", value: change.path)
            }
        }
        if change.isAllowed {
            json.array("suppressions", of: ["external"]) { $0.string("kind", value: $1) }
        }
    }

    /// Returns workflow commands of GitHub Actions, which become annotations: errors, warnings and notices.
    ///
    /// - Parameters:
    ///   - file: The new document, which the annotations are about.
    ///   - places: The lines of its elements; annotations have no lines without them.
    public func githubAnnotations(file: String, places: ModelPlaces? = nil) -> String {
        changes.map { change in
            let line = places?.line(of: change.path).map { ",line=\($0)" } ?? ""
            let kind =
                change.isBreaking
                ? "error" : change.isWarning || change.isAllowed ? "warning" : "notice"
            let title = change.isAllowed ? change.ruleID + " (allowed)" : change.ruleID
            return "::\(kind) file=\(Self.property(file))\(line),title=\(Self.property(title))::"
                + Self.data(change.sentence) + "\n"
        }.joined()
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

extension ModelChange {
    /// Whether the change is incompatible and not explicitly allowed.
    var isBreaking: Bool { !isCompatible && !isAllowed }

    /// The change in one line: `property NS.Type/Name removed: Edm.String`.
    var sentence: String {
        let place = path.isEmpty ? "" : " " + path
        return what.rawValue + place + " " + change.rawValue + (detail.isEmpty ? "" : ": " + detail)
    }
}

extension CompatibilityRule.Effect {
    /// The level of SARIF.
    fileprivate var level: String {
        switch self {
        case .compatible: "note"
        case .warning: "warning"
        case .incompatible: "error"
        }
    }
}
