import ODataPayload
import TestSupport
import Testing

/// What is no answer to the request that was sent, however well-formed it is.
@Suite struct PayloadExpectationTests {
    private let page = PayloadExpectation(.collection, requiresIdentity: true)
    private let entity = PayloadExpectation(.entity, requiresIdentity: true)

    @Test(arguments: [
        "{}", #"{"foo":1}"#, #"{"ID":"A"}"#, #"{"value":{}}"#, #"{"value":null}"#, #"{"value":1}"#,
        #"{"@odata.context":"$metadata#Customers"}"#, #"{"@odata.nextLink":"more"}"#,
        #"{"@odata.context":"$metadata#Customers/$entity","ID":"A"}"#, #"{"error":"gone"}"#, "[]",
        #"[{"ID":"A"}]"#, "null", "1", #""text""#, #"{"d":{"results":[{"ID":"A"}]}}"#,
    ])
    func refusesWhatIsNoPage(_ payload: String) throws {
        let error = try #require(try failure(payload, expecting: page))
        #expect([.unexpectedContent, .malformed].contains(error.code))
    }

    @Test(arguments: [
        "{}", #"{"d":{}}"#, #"{"d":null}"#, #"{"d":{"ID":"A"}}"#, #"{"d":{"results":{}}}"#,
        #"{"d":{"__count":"0"}}"#, #"{"odata.error":{"code":"1","message":{"value":"no"}}}"#,
    ])
    func refusesWhatIsNoPageOfVersion2(_ payload: String) throws {
        #expect(try failure(payload, ShopModel.v2, expecting: page) != nil)
    }

    @Test(arguments: [
        #"{"value":[]}"#, #"{"value":[{"ID":"A"}]}"#, #"{"value":[{"ID":"A"}],"@odata.count":1}"#,
        #"{"value":[{"@odata.id":"Customers('A')"}]}"#,
        #"{"value":[{"Name":"x","@odata.id":"Customers('A')"}]}"#,
        #"{"value":[{"Orders":[{"Total":1,"@odata.id":"Orders(1)"}],"@odata.id":"Customers('A')"}]}"#,
        #"{"value":[{"ID":"A","LastOrder":null,"Orders":[{"@odata.id":"Orders(1)"}]}]}"#,
    ])
    func takesEntitiesWithAKeyOrAnID(_ payload: String) throws {
        #expect(try failure(payload, expecting: page) == nil)
    }

    @Test(arguments: [
        #"{"d":[]}"#, #"{"d":{"results":[]}}"#, #"{"value":[{"ID":"A"}]}"#,
        #"{"d":{"results":[{"__metadata":{"uri":"http://h/Customers('A')"},"Name":"x"}]}}"#,
    ])
    func takesPagesOfVersion2(_ payload: String) throws {
        #expect(try failure(payload, ShopModel.v2, expecting: page) == nil)
    }

    @Test(arguments: [
        (#"{"value":[{}]}"#, 10), (#"{"value":[{"Name":"x"}]}"#, 10),
        (#"{"value":[{"ID":"A"},{"Name":"x"}]}"#, 21),
        (#"{"value":[{"ID":"A","Orders":[{"Total":1}]}]}"#, 30),
        (#"{"value":[{"ID":"A","LastOrder":{"@odata.etag":"1"}}]}"#, 32),
        (#"{"value":[{"Orders":[{"@odata.id":"Orders(1)","Total":1}]}]}"#, 10),
    ])
    func refusesEntitiesWithoutIdentity(_ payload: String, _ place: Int) throws {
        let error = try #require(try failure(payload, expecting: page))
        #expect(error.code == .unexpectedContent)
        #expect(error.byteOffset == place)
    }

    @Test(arguments: [
        #"{"value":[{"ID":null}]}"#, #"{"value":[{"@odata.id":"Customers('A')","ID":null}]}"#,
        #"{"value":[{"ID":"A","Orders":[{"ID":null}]}]}"#,
    ])
    func refusesANullKey(_ payload: String) throws {
        #expect(try failure(payload, expecting: page)?.code == .wrongType)
    }

    @Test func refusesEntitiesOfAnotherType() throws {
        let other = ##"{"value":[{"@odata.type":"#Shop.Order","ID":"1"}]}"##
        #expect(try failure(other, expecting: page)?.code == .wrongType)
        // A type that the metadata does not have yet may well be a derived one.
        let new = ##"{"value":[{"@odata.type":"#Shop.Newcomer","ID":"1"}]}"##
        #expect(try failure(new, expecting: page) == nil)
        let derived = ##"{"value":[{"@odata.type":"#Shop.VIP","ID":"1"}]}"##
        #expect(try failure(derived, expecting: page) == nil)
    }

    @Test(arguments: ["{}", #"{"value":[]}"#, #"{"value":[{"ID":"A"}]}"#, #"{"foo":1}"#])
    func refusesWhatIsNoEntity(_ payload: String) throws {
        #expect(try failure(payload, expecting: entity)?.code == .unexpectedContent)
    }

    @Test func takesOneEntity() throws {
        #expect(try failure(#"{"ID":"A","Name":"x"}"#, expecting: entity) == nil)
        #expect(try failure(#"{"d":{"ID":"A"}}"#, ShopModel.v2, expecting: entity) == nil)
        #expect(try failure(#"{"d":null}"#, ShopModel.v2, expecting: entity) == nil)
    }

    @Test func takesAnEntityThatTheRequestNames() throws {
        let known = PayloadExpectation(.entity, requiresIdentity: true, isIdentityKnown: true)
        #expect(try failure(#"{"Name":"x"}"#, expecting: known) == nil)
        for payload in ["{}", #"{"foo":1}"#, #"{"Name":"x","LastOrder":{"Total":1}}"#] {
            #expect(try failure(payload, expecting: known)?.code == .unexpectedContent)
        }
    }

    @Test(arguments: [
        #"{"value":[{"@odata.etag":"W/\"1\r\nX: y\"","ID":"A"}]}"#,
        #"{"value":[{"ID":"A","@odata.etag":"W/\"\u0000\""}]}"#,
        #"{"value":[{"ID":"A","@odata.mediaEtag":"\"\u007f\""}]}"#,
        #"{"value":[{"ID":"A","Orders":[{"ID":1,"@odata.etag":"\"\t\""}]}]}"#,
    ])
    func refusesETagsThatNoHeaderFieldCanHold(_ payload: String) throws {
        let error = try #require(try failure(payload))
        #expect(error.code == .wrongType)
        #expect(error.path.contains("etag") || error.path.contains("Etag"))
    }
}
