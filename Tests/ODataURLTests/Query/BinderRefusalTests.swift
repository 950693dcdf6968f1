import ODataModel
import Testing

@Suite struct BinderRefusalTests {
    @Test(arguments: [
        ("Product", "unknownName@0 the service has no Product → Products"),
        ("Products('x')", "type@9 the literal is not a value of Edm.Int32"),
        ("Products(1.5)", "type@9 the value does not fit ID"),
        (
            "Events(2020-01-01T00:00:00.12345678Z)",
            "type@7 a key is compared to 100 ns, and this one has finer digits"
        ),
        ("Products(null)", "type@9 the value of ID is no literal that a key can have"),
        ("Products(1,2)", "meaning@9 the key of NS.Product is ID"),
        ("Items(OrderID=1,Number=2)", "unknownName@6 the key has a part No that is not given"),
        ("Best(1)", "meaning@5 a single entity has no key in its path"),
        ("Products(1)/Categori", "unknownName@12 NS.Product has no Categori → Category"),
        ("Products(1)/Name/City", "meaning@17 nothing of this kind can follow a property"),
        ("Products(1)/$count", "meaning@12 $count cannot stand here"),
        ("Products/$value", "meaning@9 $value cannot stand here"),
        ("Products/$count/$ref", "meaning@16 nothing can follow"),
        ("Products/$each", "notSupported@9 $each is not offered"),
        ("Products/NS.Order", "type@9 NS.Order does not extend NS.Product"),
        ("Products(1)/$links/Category", "meaning@12 $links cannot stand here"),
        ("$entity", "syntax@0 $entity needs $id"),
        ("$entity?$id=Products", "meaning@12 the id is no URL of an entity"),
        ("$entity?$id=$entity", "meaning@12 the id is no URL of an entity"),
        ("$metadata/x", "meaning@10 nothing can follow"),
        ("Products(1)?$top=3", "meaning@17 $top has a meaning for collections only"),
    ])
    func refusesPaths(_ url: String, _ expected: String) {
        #expect(bound(url) == expected)
    }

    @Test(arguments: [
        ("Orders/$links/Items", "meaning@7 $links cannot stand here"),
        ("Orders('a')/$links", "syntax@12 $links names no property"),
    ])
    func refusesPathsOfVersion2(_ url: String, _ expected: String) {
        #expect(bound(url, version: .v2) == expected)
    }

    @Test(arguments: [
        ("Nam eq 'x'", "unknownName@0 NS.Product has no Nam → Name"),
        ("Name eq 5", "type@8 the literal is not a value of Edm.String"),
        ("ID eq 'x'", "type@6 the literal is not a value of Edm.Int32"),
        ("ID eq Name", "type@6 Edm.Int32 and Edm.String cannot be compared"),
        ("Name", "type@0 a condition must be true or false"),
        ("not Name", "type@4 a condition must be true or false"),
        ("Sold and 5", "type@9 the literal is not a value of Edm.Boolean"),
        ("Category eq 5", "type@12 an entity or complex value can be compared with null only"),
        ("Tags eq 'x'", "type@8 a collection cannot be compared"),
        ("Items/Quantity eq 1", "meaning@6 a collection stands before Quantity"),
        ("Name/x eq 1", "meaning@5 a primitive value has no x"),
        ("Name/any(x:true)", "type@5 no collection stands before"),
        ("contins(Name,'x')", "unknownName@0 there is no function contins → contains"),
        ("contains(ID,'x')", "type@9 the argument of contains has another type"),
        ("contains(Name)", "type@0 contains takes 2 arguments, not 1"),
        ("Color eq 'Gren'", "type@9 the literal is not a value of NS.Color → Green"),
        ("Color eq NS.Rights'Read'", "type@9 the literal is not a value of NS.Color → Red"),
        ("Name add 1 eq 2", "type@9 add has no meaning for Edm.String and Edm.Int32"),
        ("Updated eq 01:00", "type@11 the literal is not a value of Edm.DateTimeOffset"),
        ("Picture gt binary'AA'", "type@11 values of Edm.Binary have no order"),
        ("isof(NS.Nope)", "unknownName@5 the model has no NS.Nope → NS.Note"),
        ("Place eq geography'Point(1 2)'", "type@9 the literal is not a value of Edm.Untyped"),
        ("@a eq 1&@a=@b&@b=@a", "limit@17 aliases refer to each other without end"),
        ("Price has 1", "type@0 has needs an enumeration before it"),
    ])
    func refusesFilters(_ filter: String, _ expected: String) throws {
        let start = "Products?$filter="
        let parts = expected.split(separator: "@", maxSplits: 1)
        let rest = parts[1].split(separator: " ", maxSplits: 1)
        let offset = try #require(Int(rest[0])) + start.utf8.count
        #expect(bound(start + filter) == "\(parts[0])@\(offset) \(rest[1])")
    }

    @Test(arguments: [
        ("$select=Nam", "unknownName@17 NS.Product has no Nam → Name"),
        ("$expand=Name", "meaning@17 Name is no navigation property"),
        ("$expand=Category/Parent", "syntax@26 deeper expands stand in parentheses"),
        ("$orderby=Picture", "type@18 values of this kind have no order"),
        ("$orderby=substring(Name,0,-1)", "meaning@18 substring takes no negative length"),
        ("$orderby=Items", "type@18 a collection stands where one value is needed"),
        ("$index=3", "notSupported@16 $index is not offered here"),
        ("$compute=ID as Name", "meaning@24 the name Name is taken"),
        (
            "$apply=aggregate(Price with sum as P)&$orderby=Name",
            "unknownName@56 Name does not exist after $apply"
        ),
        ("$apply=aggregate(Forecast)", "notSupported@26 custom aggregates are not offered"),
        ("$apply=aggregate(Name with sum as S)", "type@26 values of Edm.String have no sum"),
        (
            "$apply=aggregate(Price with NS.x as S)",
            "notSupported@26 the method NS.x is not offered"
        ),
        ("$apply=groupby((Tags))", "type@25 a collection stands where one value is needed"),
        ("$apply=nest(identity as X)", "notSupported@16 the transformation nest is not offered"),
    ])
    func refusesOptions(_ option: String, _ expected: String) {
        #expect(bound("Products?" + option) == expected)
    }

    @Test func offsetsCountBytesOfTheEncodedText() {
        #expect(
            bound("Products?$filter=Name%20eq%20'%C3%A4'%20and%20Nam%20eq%20''").hasPrefix(
                "unknownName@46"
            )
        )
    }

    @Test func limitsExpressionsThatAliasesMultiply() {
        var url = "Products?$filter=@a"
        for (name, next) in zip("abcdef", "bcdefg") {
            let all = Array(repeating: "@\(next)", count: 50).joined(separator: " or ")
            url += "&@\(name)=" + all
        }
        #expect(bound(url + "&@g=true").hasPrefix("limit@"))
    }

    @Test func limitsTheDepthThatAliasesAddUp() {
        let deep = String(repeating: "not (", count: 25)
        let end = String(repeating: ")", count: 25)
        let url = "Products?$filter=\(deep)@a\(end)&@a=\(deep)@b\(end)&@b=\(deep)Sold\(end)"
        #expect(bound(url).hasPrefix("limit@"))
        #expect(
            bound("Products?$filter=\(deep)@a\(end)&@a=\(deep)Sold\(end)").hasPrefix("Products")
        )
    }

    /// The form of a value is asked for at each level: it must not be computed anew several times at each.
    @Test func nestedConditionsTakeNoExponentialTime() {
        let url =
            "Products?$filter=" + String(repeating: "case(Sold:", count: 30) + "1"
            + String(repeating: ")", count: 30) + " eq 1"
        #expect(bound(url).hasPrefix("Products | filter"))
    }
}
