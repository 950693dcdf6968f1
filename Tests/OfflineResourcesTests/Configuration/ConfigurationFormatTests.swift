import Foundation
import Testing

@testable import OfflinePolicies

/// One configuration with every key, in each of the formats.
@Suite struct ConfigurationFormatTests {
    static let json = """
        {
          "mobileBackends": {
            "HR/1.0": {
              "default": true,
              "baseUrl": "https://example.com:443",
              "synchronization": {
                "maxStoreSize": 50,
                "periodicRefreshPolicy": "PERIODIC_REFRESH_POLICY_PERIODICALLY_REFRESH_EXPIRED_ITEMS",
                "periodicRefreshInterval": 300,
                "policies": [
                  {"path": "/mobile/custom/incidents/**",
                   "fetchPolicy": "FETCH_WITH_REFRESH", "expirationPolicy": "EXPIRE_AFTER", "expireAfter": 600,
                   "evictionPolicy": "EVICT_ON_EXPIRY_AT_STARTUP", "updatePolicy": "UPDATE_IF_ONLINE",
                   "conflictResolutionPolicy": "CLIENT_WINS", "noCache": false},
                  {"path": "creditcards", "noCache": true, "updatePolicy": "QUEUE_IF_OFFLINE"}
                ],
                "defaultPolicy": {"fetchPolicy": "FETCH_FROM_SERVICE_IF_ONLINE"}
              }
            }
          }
        }
        """

    static let propertyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>logLevel</key><string>debug</string>
          <key>mobileBackends</key>
          <dict>
            <key>HR/1.0</key>
            <dict>
              <key>default</key><true/>
              <key>baseURL</key><string>https://example.com:443</string>
              <key>synchronization</key>
              <dict>
                <key>maxStoreSize</key><integer>50</integer>
                <key>periodicRefreshPolicy</key>
                <string>PERIODIC_REFRESH_POLICY_PERIODICALLY_REFRESH_EXPIRED_ITEMS</string>
                <key>periodicRefreshInterval</key><string>300</string>
                <key>policies</key>
                <array>
                  <dict>
                    <key>path</key><string>/mobile/custom/incidents/**</string>
                    <key>fetchPolicy</key><string>FETCH_WITH_REFRESH</string>
                    <key>expirationPolicy</key><string>EXPIRE_AFTER</string>
                    <key>expireAfter</key><integer>600</integer>
                    <key>evictionPolicy</key><string>EVICT_ON_EXPIRY_AT_STARTUP</string>
                    <key>updatePolicy</key><string>UPDATE_IF_ONLINE</string>
                    <key>conflictResolutionPolicy</key><string>CLIENT_WINS</string>
                    <key>noCache</key><false/>
                  </dict>
                  <dict>
                    <key>path</key><string>creditcards</string>
                    <key>noCache</key><true/>
                    <key>updatePolicy</key><false/>
                  </dict>
                </array>
                <key>defaultPolicy</key>
                <dict><key>fetchPolicy</key><string>FETCH_FROM_SERVICE_IF_ONLINE</string></dict>
              </dict>
            </dict>
          </dict>
        </dict>
        </plist>
        """

    static let xml = """
        <?xml version="1.0" encoding="utf-8"?>
        <mobileBackends>
          <mobileBackend>
            <mbeName>HR</mbeName>
            <mbeVersion>1.0</mbeVersion>
            <default>true</default>
            <baseUrl>https://example.com:443</baseUrl>
            <authorization><basicAuth><mobileBackendID>x</mobileBackendID></basicAuth></authorization>
            <synchronization>
              <maxStoreSize>50</maxStoreSize>
              <periodicRefreshPolicy>PERIODIC_REFRESH_POLICY_PERIODICALLY_REFRESH_EXPIRED_ITEMS</periodicRefreshPolicy>
              <periodicRefreshInterval> 300 </periodicRefreshInterval>
              <policies>
                <!-- incidents change often -->
                <policy>
                  <path>/mobile/custom/incidents/**</path>
                  <fetchPolicy>FETCH_WITH_REFRESH</fetchPolicy>
                  <expirationPolicy>EXPIRE_AFTER</expirationPolicy>
                  <expireAfter>600</expireAfter>
                  <evictionPolicy>EVICT_ON_EXPIRY_AT_STARTUP</evictionPolicy>
                  <updatePolicy>UPDATE_IF_ONLINE</updatePolicy>
                  <conflictResolutionPolicy>CLIENT_WINS</conflictResolutionPolicy>
                  <noCache>false</noCache>
                </policy>
                <policy><path>creditcards</path><noCache>true</noCache><updatePolicy>QUEUE_IF_OFFLINE</updatePolicy></policy>
              </policies>
              <defaultPolicy><fetchPolicy>FETCH_FROM_SERVICE_IF_ONLINE</fetchPolicy></defaultPolicy>
            </synchronization>
          </mobileBackend>
        </mobileBackends>
        """

    static func expected() throws -> PolicyConfiguration {
        var backend = BackendConfiguration(name: "HR/1.0")
        backend.isDefault = true
        backend.maxStoreSize = 50
        backend.periodicRefreshPolicy = .expiredItemsPeriodically
        backend.periodicRefreshInterval = 300
        backend.policies = [
            PathPolicy(
                pattern: try #require(PathPattern("/mobile/custom/incidents/**")),
                policy: ResourcePolicy(
                    fetchPolicy: .withRefresh,
                    expirationPolicy: .after,
                    expireAfter: 600,
                    evictionPolicy: .onExpiryAtStartup,
                    updatePolicy: .updateIfOnline,
                    conflictResolutionPolicy: .clientWins,
                    noCache: false
                )
            ),
            PathPolicy(
                pattern: try #require(PathPattern("creditcards")),
                policy: ResourcePolicy(updatePolicy: .queueIfOffline, noCache: true)
            ),
        ]
        backend.defaultPolicy.fetchPolicy = .fromServiceIfOnline
        return PolicyConfiguration(backends: [backend])
    }

    @Test(arguments: [json, propertyList, xml])
    func readsEveryKey(_ text: String) throws {
        #expect(try PolicyConfiguration(reading: Array(text.utf8)) == Self.expected())
    }

    /// `false` means the library's default: at a path it comes before what the service's default policy says.
    @Test func falseAtAPathIsTheDefaultOfTheLibrary() throws {
        let text = """
            <plist version="1.0"><dict><key>synchronization</key><dict>
            <key>policies</key><array><dict><key>path</key><string>a</string><key>updatePolicy</key><false/></dict></array>
            <key>defaultPolicy</key><dict><key>updatePolicy</key><string>UPDATE_IF_ONLINE</string></dict>
            </dict></dict></plist>
            """
        let resolver = try PolicyResolver(
            configuration: PolicyConfiguration(reading: Array(text.utf8)).backend()
        )
        #expect(
            resolver.policy(for: "a", now: .now).updatePolicy
                == ResolvedPolicy(.queueIfOffline, from: .path, pattern: "a")
        )
        #expect(
            resolver.policy(for: "b", now: .now).updatePolicy
                == ResolvedPolicy(.updateIfOnline, from: .service)
        )
        let other = text.replacing("<string>UPDATE_IF_ONLINE</string>", with: "<false/>")
        let library = try PolicyResolver(
            configuration: PolicyConfiguration(reading: Array(other.utf8)).backend()
        )
        #expect(
            library.policy(for: "b", now: .now).updatePolicy
                == ResolvedPolicy(.queueIfOffline, from: .library)
        )
    }

    @Test(arguments: ConfigurationFormat.allCases)
    func readsAndWritesWhetherStandardHeadersCount(_ format: ConfigurationFormat) throws {
        let text = "{\"synchronization\":{\"usesStandardCacheHeaders\":true}}"
        let configuration = try PolicyConfiguration(reading: Array(text.utf8))
        #expect(configuration.backends[0].usesStandardCacheHeaders)
        #expect(
            try PolicyConfiguration(reading: configuration.written(as: format)) == configuration
        )
        #expect(!BackendConfiguration().usesStandardCacheHeaders)
    }

    /// The older property lists say whether the store is emptied at each start.
    @Test(arguments: ConfigurationFormat.allCases)
    func readsAndWritesThePurgeAtStartup(_ format: ConfigurationFormat) throws {
        let text =
            "<plist version=\"1.0\"><dict><key>synchronization</key><dict><key>purgeOnStartup</key><true/></dict></dict></plist>"
        let configuration = try PolicyConfiguration(reading: Array(text.utf8))
        #expect(configuration.backends[0].purgesOnStartup)
        let written = configuration.written(as: format)
        #expect(try PolicyConfiguration(reading: written) == configuration)
        #expect(!BackendConfiguration().purgesOnStartup)
    }

    /// Settings that stand beside the services are those of every service without its own.
    @Test(arguments: ["synchronization", "sync"])
    func readsSettingsBesideTheServices(_ key: String) throws {
        let text = """
            {"mobileBackends":{"a":{"default":true},"b":{"synchronization":{"maxStoreSize":5}}},
            "\(key)":{"maxStoreSize":7}}
            """
        let read = try PolicyConfiguration(reading: Array(text.utf8))
        #expect(read.backends.map(\.name) == ["a", "b"])
        #expect(read.backends.map(\.maxStoreSize) == [7, 5])
        #expect(read.backends.map(\.isDefault) == [true, false])
    }

    @Test(arguments: [
        "{\"mobileBackend\":{\"name\":\"HR\",\"baseUrl\":\"x\",\"synchronization\":{\"maxStoreSize\":7}}}",
        "{\"mobileBackend\":{\"name\":\"HR\"},\"sync\":{\"maxStoreSize\":7}}",
        "<config><mobileBackend><mbeName>HR</mbeName><synchronization><maxStoreSize>7</maxStoreSize></synchronization></mobileBackend></config>",
        "<mobileBackend><mbeName>HR</mbeName><synchronization><maxStoreSize>7</maxStoreSize></synchronization></mobileBackend>",
    ])
    func readsTheOnlyService(_ text: String) throws {
        let read = try PolicyConfiguration(reading: Array(text.utf8))
        #expect(read.backends.map(\.name) == ["HR"])
        #expect(try read.backend().maxStoreSize == 7)
    }

    @Test func readsBinaryPropertyLists() throws {
        let list = try unsafe PropertyListSerialization.propertyList(
            from: Data(Self.propertyList.utf8),
            format: nil
        )
        let data = try PropertyListSerialization.data(
            fromPropertyList: list,
            format: .binary,
            options: 0
        )
        #expect(try PolicyConfiguration(reading: Array(data)) == Self.expected())
    }

    @Test(arguments: ConfigurationFormat.allCases, [json, propertyList, xml])
    func writesWhatItReads(_ format: ConfigurationFormat, _ text: String) throws {
        let configuration = try PolicyConfiguration(reading: Array(text.utf8))
        let written = configuration.written(as: format)
        #expect(ConfigurationFormat(recognizing: written) == format)
        #expect(try PolicyConfiguration(reading: written) == configuration)
    }

    @Test(arguments: [
        ("FETCH_POLICY_FETCH_FROM_CACHE", "fetchPolicy"), ("UPDATE_IF_OFFLINE", "updatePolicy"),
        ("UPDATE_POLICY_QUEUE_IF_OFFLINE", "updatePolicy"),
        ("EXPIRATION_POLICY_NEVER_EXPIRE", "expirationPolicy"),
        ("CONFLICT_RESOLUTION_POLICY_SERVER_WINS", "conflictResolutionPolicy"),
        ("EVICTION_POLICY_MANUAL_EVICTION", "evictionPolicy"),
    ])
    func warnsOfOtherSpellings(_ word: String, _ key: String) throws {
        let text = "{\"synchronization\":{\"defaultPolicy\":{\"\(key)\":\"\(word)\"}}}"
        var warnings: [PolicyConfigurationWarning] = []
        let read = try PolicyConfiguration(reading: Array(text.utf8), warnings: &warnings)
        #expect(!read.backends[0].defaultPolicy.isEmpty)
        #expect(warnings.map(\.path) == ["synchronization/defaultPolicy/\(key)"])
    }

    @Test(arguments: [
        "PERIODIC_REFRESH_POLICY_REFRESH_EXPIRED_ITEM_ON_START_UP",
        "REFRESH_EXPIRED_ITEM_ON_STARTUP",
    ])
    func readsBothSpellingsOfTheRefreshAtStart(_ word: String) throws {
        let text = "{\"synchronization\":{\"periodicRefreshPolicy\":\"\(word)\"}}"
        var warnings: [PolicyConfigurationWarning] = []
        let read = try PolicyConfiguration(reading: Array(text.utf8), warnings: &warnings)
        #expect(read.backends[0].periodicRefreshPolicy == .expiredItemsOnStartup)
        #expect(warnings.count == 1)
    }

    @Test func warnsOfServicesWithoutSettings() throws {
        let text = """
            {"mobileBackends":{"a":{"sync":{"maxStoreSize":5}},
            "b":{"baseURL":"x"}}}
            """
        var warnings: [PolicyConfigurationWarning] = []
        let read = try PolicyConfiguration(reading: Array(text.utf8), warnings: &warnings)
        #expect(read.backends.map(\.maxStoreSize) == [5, 100])
        #expect(warnings.map(\.path) == ["mobileBackends/b"])
        #expect(warnings.map(\.line) == [2])
    }
}
