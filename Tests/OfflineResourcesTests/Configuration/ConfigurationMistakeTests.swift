import Testing

@testable import OfflinePolicies

/// Every kind of mistake is refused with its line and path.
@Suite struct ConfigurationMistakeTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let text: String
        let path: String
        let line: Int?
        let says: String

        init(_ text: String, line: Int?, path: String, says: String) {
            self.text = text
            self.path = path
            self.line = line
            self.says = says
        }

        var testDescription: String { text }
    }

    /// What stands in `synchronization`, from line 2 on.
    private static func settings(_ text: String) -> String {
        "{\"synchronization\":{\n\(text)\n}}"
    }

    static let json = [
        Mistake("", line: 1, path: "", says: "empty"),
        Mistake("{", line: 1, path: "", says: "JSON"),
        Mistake("[]", line: 1, path: "", says: "expected an object"),
        Mistake("{\n\"mobilBackends\":{}}", line: 2, path: "mobilBackends", says: "mobileBackends"),
        Mistake(
            "{\"mobileBackend\":{\n\"a/1.0\":{\"synchronization\":{}}}}",
            line: 2,
            path: "mobileBackend/a/1.0",
            says: "'mobileBackends'"
        ),
        Mistake("{\"mobileBackends\":\n{}}", line: 2, path: "mobileBackends", says: "one service"),
        Mistake(
            "{\"mobileBackends\":{\"a\":{\n\"Synchronization\":{}}}}",
            line: 2,
            path: "mobileBackends/a/Synchronization",
            says: "did you mean 'synchronization'?"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{\n\"synchronisation\":{}}}}",
            line: 2,
            path: "mobileBackends/a/synchronisation",
            says: "did you mean 'synchronization'?"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{}},\n\"syncexpres\":{}}",
            line: 2,
            path: "syncexpres",
            says: "did you mean 'syncExpress'?"
        ),
        Mistake("{\"mobileBackends\":\n3}", line: 2, path: "mobileBackends", says: "object"),
        Mistake(
            "{\"mobileBackends\":{\"a\":\n3}}",
            line: 2,
            path: "mobileBackends/a",
            says: "object"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{\"default\":\n\"maybe\"}}}",
            line: 2,
            path: "mobileBackends/a/default",
            says: "true or false"
        ),
        Mistake(
            settings("\"purgeOnStartup\":\"perhaps\""),
            line: 2,
            path: "synchronization/purgeOnStartup",
            says: "true or false"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{}},\n\"sync\":{\"cacheSize\":1}}",
            line: 2,
            path: "sync/cacheSize",
            says: "unknown"
        ),
        Mistake(
            "{\"mobileBackend\":{\n\"synchronization\":{\"cacheSize\":1}}}",
            line: 2,
            path: "mobileBackend/synchronization/cacheSize",
            says: "unknown"
        ),
        Mistake(
            settings("\"polices\":[]"),
            line: 2,
            path: "synchronization/polices",
            says: "unknown"
        ),
        Mistake(
            settings("\"maxStoreSize\":-1"),
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "at least 0"
        ),
        Mistake(
            settings("\"maxStoreSize\":1.5"),
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "whole number"
        ),
        Mistake(
            settings("\"maxStoreSize\":\"50\""),
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "whole number"
        ),
        Mistake(
            settings("\"maxStoreSize\":99999999999999999999"),
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "whole number"
        ),
        Mistake(
            settings("\"periodicRefreshInterval\":0"),
            line: 2,
            path: "synchronization/periodicRefreshInterval",
            says: "at least 1"
        ),
        Mistake(
            settings("\"periodicRefreshPolicy\":\"SOMETIMES\""),
            line: 2,
            path: "synchronization/periodicRefreshPolicy",
            says: "PERIODIC_REFRESH_POLICY_REFRESH_NONE"
        ),
        Mistake(
            settings("\"policies\":{\"a\":1}"),
            line: 2,
            path: "synchronization/policies",
            says: "list"
        ),
        Mistake(
            settings("\"policies\":[3]"),
            line: 2,
            path: "synchronization/policies[1]",
            says: "path"
        ),
        Mistake(
            settings("\"policies\":[{}]"),
            line: 2,
            path: "synchronization/policies[1]",
            says: "'path'"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"a/*/b\"}]"),
            line: 2,
            path: "synchronization/policies[1]/path",
            says: "wildcards at its end"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"http://x/Parts\"}]"),
            line: 2,
            path: "synchronization/policies[1]/path",
            says: "below the service root"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"Parts?$top=3\"}]"),
            line: 2,
            path: "synchronization/policies[1]/path",
            says: "without query options"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"//Parts\"}]"),
            line: 2,
            path: "synchronization/policies[1]/path",
            says: "below the service root"
        ),
        Mistake(
            settings("\"defaultPolicy\":{\"fetchPolicy\":\"EXPIRATION_POLICY_FETCH_FROM_CACHE\"}"),
            line: 2,
            path: "synchronization/defaultPolicy/fetchPolicy",
            says: "FETCH_WITH_REFRESH"
        ),
        Mistake(
            settings("\"defaultPolicy\":{\"updatePolicy\":false}"),
            line: 2,
            path: "synchronization/defaultPolicy/updatePolicy",
            says: "QUEUE_IF_OFFLINE"
        ),
        Mistake(
            settings("\"usesStandardCacheHeaders\":1"),
            line: 2,
            path: "synchronization/usesStandardCacheHeaders",
            says: "true or false"
        ),
        Mistake(
            "{\"synchronization\":{},\n\"sync\":{}}",
            line: 2,
            path: "sync",
            says: "one setting"
        ),
        Mistake(
            "{\"mobileBackends\":{\"a\":{\"synchronization\":{},\n\"sync\":{}}}}",
            line: 2,
            path: "mobileBackends/a/sync",
            says: "one setting"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"\"}]"),
            line: 2,
            path: "synchronization/policies[1]/path",
            says: "path"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"a\"},\n{\"path\":\"/a/\"}]"),
            line: 3,
            path: "synchronization/policies[2]/path",
            says: "already"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"a\",\n\"fetchPolicy\":\"FETCH\"}]"),
            line: 3,
            path: "synchronization/policies[1]/fetchPolicy",
            says: "FETCH_FROM_CACHE"
        ),
        Mistake(
            settings("\"policies\":[{\"path\":\"a\",\"fetchPolicy\":7}]"),
            line: 2,
            path: "synchronization/policies[1]/fetchPolicy",
            says: "found 7"
        ),
        Mistake(
            settings("\"defaultPolicy\":{\"path\":\"a\"}"),
            line: 2,
            path: "synchronization/defaultPolicy/path",
            says: "unknown"
        ),
        Mistake(
            settings("\"defaultPolicy\":{\"noCache\":\"true\"}"),
            line: 2,
            path: "synchronization/defaultPolicy/noCache",
            says: "true or false"
        ),
        Mistake(
            settings("\"defaultPolicy\":{\"updatePolicy\":true}"),
            line: 2,
            path: "synchronization/defaultPolicy/updatePolicy",
            says: "QUEUE_IF_OFFLINE"
        ),
        Mistake(
            settings("\"defaultPolicy\":{\"expireAfter\":-5}"),
            line: 2,
            path: "synchronization/defaultPolicy/expireAfter",
            says: "at least 0"
        ),
    ]

    static let xml = [
        Mistake(
            "<synchronization>\n<maxStoreSize x=\"1\">5</maxStoreSize></synchronization>",
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "attribute 'x'"
        ),
        Mistake(
            "<synchronization><defaultPolicy>\nFETCH<noCache>true</noCache></defaultPolicy></synchronization>",
            line: 2,
            path: "synchronization/defaultPolicy",
            says: "text 'FETCH'"
        ),
        Mistake(
            "<synchronization><policies>\n<policy kind=\"a\"><path>a</path></policy></policies></synchronization>",
            line: 2,
            path: "synchronization/policies[1]",
            says: "attribute 'kind'"
        ),
        Mistake(
            "<synchronization><defaultPolicy>\n<noCache>no</noCache></defaultPolicy></synchronization>",
            line: 2,
            path: "synchronization/defaultPolicy/noCache",
            says: "true or false"
        ),
        Mistake(
            "<synchronization><defaultPolicy>\n<updatePolicy>false</updatePolicy></defaultPolicy></synchronization>",
            line: 2,
            path: "synchronization/defaultPolicy/updatePolicy",
            says: "QUEUE_IF_OFFLINE"
        ),
        Mistake("<a/>", line: 1, path: "", says: "mobileBackends"),
        Mistake(
            "<mobileBackends>\n<x/></mobileBackends>",
            line: 2,
            path: "mobileBackends/x",
            says: "mobileBackend"
        ),
        Mistake(
            "<mobileBackends>\n<mobileBackend/></mobileBackends>",
            line: 2,
            path: "mobileBackends/mobileBackend[1]",
            says: "mbeName"
        ),
        Mistake(
            "<mobileBackends><mobileBackend>\n<mbeName>a</mbeName>\n<mbeVersion>1</mbeVersion>\n<mbeVersion>2</mbeVersion></mobileBackend></mobileBackends>",
            line: 4,
            path: "mobileBackends/a/1/mbeVersion",
            says: "twice"
        ),
        Mistake(
            "<synchronization>\n<defaultPolicy>\n<noCache>true</noCache>\n\n text\n</defaultPolicy></synchronization>",
            line: 5,
            path: "synchronization/defaultPolicy",
            says: "text 'text'"
        ),
        Mistake("<mobileBackends>", line: 1, path: "", says: "XML"),
        Mistake(
            "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<mobileBackends/>",
            line: 1,
            path: "",
            says: "DOCTYPE"
        ),
        Mistake(
            "<synchronization><policies>\n<policy><path>a</path><noCache>maybe</noCache></policy></policies></synchronization>",
            line: 2,
            path: "synchronization/policies[1]/noCache",
            says: "true or false"
        ),
        Mistake(
            "<synchronization>\n<maxStoreSize>1</maxStoreSize>\n<maxStoreSize>2</maxStoreSize></synchronization>",
            line: 3,
            path: "synchronization/maxStoreSize",
            says: "twice"
        ),
    ]

    static let propertyLists = [
        Mistake("<plist>\n<dict>\n<key>a</key>", line: 3, path: "", says: "XML"),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>policies</key><array>\n<dict><key>path</key><string>a</string>\n<key>fetchPolicy</key><string>X</string></dict></array></dict></dict></plist>",
            line: 4,
            path: "synchronization/policies[1]/fetchPolicy",
            says: "FETCH_FROM_CACHE"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>cacheSize</key><integer>1</integer></dict></dict></plist>",
            line: 2,
            path: "synchronization/cacheSize",
            says: "unknown"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>maxStoreSize</key><real>200.5</real></dict></dict></plist>",
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "real '200.5'"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>maxStoreSize</key><date>2020-01-01T00:00:00Z</date></dict></dict></plist>",
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "date '2020-01-01T00:00:00Z'"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>maxStoreSize</key><integer>99999999999999999999</integer></dict></dict></plist>",
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "integer '99999999999999999999'"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>policies</key><array>\n<dict><key>path</key></dict></array></dict></dict></plist>",
            line: 3,
            path: "synchronization/policies[1]/path",
            says: "'path' has no value"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>policies</key>\n<key>defaultPolicy</key><dict/></dict></dict></plist>",
            line: 2,
            path: "synchronization/policies",
            says: "'policies' has no value"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<dict/></dict></dict></plist>",
            line: 2,
            path: "synchronization",
            says: "without a key"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>maxStoreSize</key><number>3</number></dict></dict></plist>",
            line: 2,
            path: "synchronization/maxStoreSize",
            says: "'number' is no value"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict>\n<key>maxStoreSize</key>,<integer>3</integer></dict></dict></plist>",
            line: 2,
            path: "synchronization",
            says: "text ','"
        ),
        Mistake(
            "<plist version=\"1.0\"><dict><key>mobileBackend</key><dict>\n<key>a/1.0</key><dict><key>sync</key><dict/></dict></dict></dict></plist>",
            line: 2,
            path: "mobileBackend/a/1.0",
            says: "'mobileBackends'"
        ),
        Mistake(
            "<plist version=\"1.0\"><array/></plist>",
            line: 1,
            path: "",
            says: "expected an object"
        ),
    ]

    @Test(arguments: json + xml + propertyLists)
    func namesThePlace(_ mistake: Mistake) {
        let error = #expect(throws: PolicyConfigurationError.self) {
            _ = try PolicyConfiguration(reading: Array(mistake.text.utf8))
        }
        #expect(error?.line == mistake.line)
        #expect(error?.path == mistake.path)
        #expect(error?.message.contains(mistake.says) == true, "\(error?.message ?? "")")
    }
}
