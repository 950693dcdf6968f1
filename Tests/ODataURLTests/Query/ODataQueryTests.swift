import ODataBinding
import ODataModel
import ODataURL
import Testing

@Suite struct ODataQueryTests {
    private func text(_ query: ODataQuery) -> String {
        do throws(ODataURLError) {
            let request = try query.bound(in: ModelSketch.shop)
            return BoundDescription(model: ModelSketch.shop).text(request)
        } catch {
            return "\(error.code) \(error.message)"
        }
    }

    private func filter(_ condition: QueryExpression) -> String {
        text(ODataQuery("Products").filter(condition))
    }

    @Test func bindsToTheTreeOfTheURL() {
        let query = ODataQuery("Products")
            .filter(.property("Price") > 100 && .property("Name").contains("a'b"))
            .filter(!.property("Sold"))
            .orderBy(.property("Category/Name"), descending: true)
            .orderBy(.property("ID"))
            .select("Name", "Address/City")
            .expand("Items") { $0.filter(.property("Quantity") > 1).top(3) }
            .top(20).skip(40).count()
        let url =
            "Products?$filter=Price gt 100 and contains(Name,'a''b') and not Sold"
            + "&$orderby=Category/Name desc,ID&$select=Name,Address/City"
            + "&$expand=Items($filter=Quantity gt 1;$top=3)&$top=20&$skip=40&$count=true"
        #expect(text(query) == bound(url))
        #expect(bound(query.url()) == bound(url))
    }

    @Test func bindsEveryKindOfExpression() {
        let pairs: [(QueryExpression, String)] = [
            (.property("Name") == nil, "Name eq null"),
            (
                .property("Sold") == true || .property("Rating") < 1.5,
                "Sold eq true or Rating lt 1.5e0"
            ),
            (.property("ID").isIn([1, 2]), "ID in (1,2)"),
            (
                .property("Rights").has(.enumeration("NS.Rights", "Read")),
                "Rights has NS.Rights'Read'"
            ),
            (.property("Color") == "Red", "Color eq 'Red'"),
            (.property("Stock") * 2 + 1 >= 5 - -.property("ID"), "Stock mul 2 add 1 ge 5 sub -ID"),
            (.property("Stock") / 2 != .property("ID") % 3, "Stock div 2 ne ID mod 3"),
            (.property("Released") <= .literal(.date, "2020-02-29"), "Released le 2020-02-29"),
            (
                .property("Name").startsWith("a") && .property("Name").endsWith("b"),
                "startswith(Name,'a') and endswith(Name,'b')"
            ),
            (.call(.length, .property("Name")) > 3, "length(Name) gt 3"),
            (.any("Tags") { $0.value == "x" }, "Tags/any(t:t eq 'x')"),
            (.all("Items") { $0.property("Order/ID") != "a" }, "Items/all(i:i/Order/ID ne 'a')"),
            (
                .count("Items", where: .property("Quantity") > 1) == 0,
                "Items/$count($filter=Quantity gt 1) eq 0"
            ),
            (.state(.isLocal), "sap.islocal()"),
            (.state(.exists, of: "Category"), "sap.entityexists(Category)"),
        ]
        for (expression, text) in pairs {
            #expect(filter(expression) == bound("Products?$filter=" + text))
            let written = ODataQuery("Products").filter(expression).url()
            #expect(bound(written) == bound("Products?$filter=" + text), "\(written)")
        }
    }

    @Test func bindsEveryTransformation() {
        let pairs: [([QueryTransformation], String)] = [
            (
                [.filter(.property("Price") > 1), .aggregate(.sum("Price", as: "S"))],
                "filter(Price gt 1)/aggregate(Price with sum as S)"
            ),
            (
                [
                    .groupBy(
                        ["Category/Name", "Color"],
                        .aggregate(
                            .min("Price", as: "L"),
                            .max(.property("Price") * 2, as: "H"),
                            .average("Rating", as: "A"),
                            .countDistinct("Name", as: "D"),
                            .count(as: "N"),
                            .count("Items", as: "I")
                        )
                    )
                ],
                "groupby((Category/Name,Color),aggregate(Price with min as L,Price mul 2 with max as H,"
                    + "Rating with average as A,Name with countdistinct as D,$count as N,Items/$count as I))"
            ),
            ([.groupBy(["Color"])], "groupby((Color))"),
            (
                [.rollUp(["Category/Name", "Color"], .aggregate(.sum("Price", as: "S")))],
                "groupby((rollup(Category/Name,Color)),aggregate(Price with sum as S))"
            ),
            (
                [
                    .compute("Value", .property("Price") * .property("Stock")),
                    .orderBy("Value", descending: true), .skip(1), .top(3),
                ],
                "compute(Price mul Stock as Value)/orderby(Value desc)/skip(1)/top(3)"
            ),
            (
                [.concat([.top(1)], [.ranked(.bottomcount, 2, by: .property("Price"))])],
                "concat(top(1),bottomcount(2,Price))"
            ),
            (
                [.search(.and(.term("red", isPhrase: false), .term("oak", isPhrase: true)))],
                "search(red AND \"oak\")"
            ),
        ]
        for (transformations, text) in pairs {
            let query = transformations.reduce(ODataQuery("Products")) { $0.apply($1) }
            #expect(self.text(query) == bound("Products?$apply=" + text))
            #expect(bound(query.url()) == bound("Products?$apply=" + text), "\(query)")
        }
        let ordered = ODataQuery("Products")
            .apply(.groupBy(["Color"], .aggregate(.count(as: "N")))).orderBy("N", descending: true)
        #expect(
            ordered.url()
                == "Products?$apply=groupby((Color),aggregate($count%20as%20N))&$orderby=N%20desc"
        )
    }

    @Test func equalsWhatAsksForTheSame() {
        func query(_ limit: Int64) -> ODataQuery {
            ODataQuery("Products").filter(.property("ID") > .integer(limit))
                .apply(.aggregate(.sum("Price", as: "S")))
                .expand("Items") { $0.filter(.any("Tags") { $0.value == "x" }).select(["ID"]) }
        }
        #expect(query(1) == query(1))
        #expect(query(1) != query(2))
        #expect(Set([query(1), query(1), query(2)]).count == 2)
        #expect(
            ODataQuery("Products").orderBy("Name")
                == ODataQuery("Products").orderBy(.property("Name"))
        )
    }

    @Test func writesItsURL() {
        let query = ODataQuery("Products")
            .filter(.property("Name") == "a'b & c" || .property("ID").isIn([1, 2]))
            .orderBy(.property("Name"), descending: true)
            .expand("Items") { $0.select("Quantity").top(3) }
            .top(2).skip(4).count()
        #expect(
            query.url()
                == "Products?$filter=(Name%20eq%20'a''b%20%26%20c')%20or%20(ID%20in%20(1,2))"
                + "&$orderby=Name%20desc&$expand=Items($select=Quantity;$top=3)&$top=2&$skip=4&$count=true"
        )
        let old = ODataQuery("Products").filter(
            .property("Name").contains("x") && .property("Key") == .literal(.guid, "0")
        ).count()
        #expect(
            old.url(version: .v3)
                == "Products?$filter=substringof('x',Name)%20and%20(Key%20eq%20guid'0')&$inlinecount=allpages"
        )
    }

    /// A URL holds ASCII alone (RFC 3986 § 2); bytes are hexadecimal up to version 3 (OData V2, § 6 of the primitive types).
    @Test func encodesWhatNoURLMayHold() {
        let query = ODataQuery("Wörter('a b')").select("Größe").filter(
            .property("Größe") == .literal(.binary, "-_8")
        )
        let path = "W%C3%B6rter('a%20b')?$filter=Gr%C3%B6%C3%9Fe%20eq%20binary'"
        #expect(query.url() == path + "-_8'&$select=Gr%C3%B6%C3%9Fe")
        #expect(query.url(version: .v2) == path + "fbff'&$select=Gr%C3%B6%C3%9Fe")
    }

    @Test func nestedItemsDoNotHideEachOther() {
        let condition = QueryExpression.any("Items") { item in
            .any("Tags") { tag in tag.value == item.property("Order/Customer") }
        }
        let url = "Products?$filter=Items/any(i:Tags/any(t:t eq i/Order/Customer))"
        #expect(filter(condition) == bound(url))
        #expect(bound(ODataQuery("Products").filter(condition).url()) == bound(url))
    }

    @Test func refusesAsTheURLDoes() {
        #expect(filter(.property("Nam") == "x") == "unknownName NS.Product has no Nam")
        #expect(text(ODataQuery("Products(1)").top(1)).hasPrefix("meaning"))
        #expect(text(ODataQuery("Products(")).hasPrefix("syntax"))
    }
}
