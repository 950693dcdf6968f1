import ODataHTTP
import Testing

/// Names, arguments and context URLs of transformations (OData Data Aggregation 4.0 §§ 3.1.1, 3.2.1.4, 3.3.1).
@Suite struct ApplyRuleTests {
    @Test(arguments: [
        ("Custs", "aggregate(Price with sum as Name)", 400),
        ("Custs", "aggregate($count as ID)", 400),
        ("Custs", "groupby((Name),aggregate($count as Orders))", 400),
        ("Custs", "groupby((Name))/compute(1 as Price)", 400),
        ("Custs", "aggregate($count with sum as N)", 400),
        ("Custs", "topcount(0,ID)", 400), ("Custs", "topcount(-1,ID)", 400),
        ("Custs", "bottomcount(1.5,ID)", 400), ("Custs", "topcount(1,ID)", 200),
        ("Custs", "toppercent(101,ID)", 400), ("Custs", "toppercent(0,ID)", 400),
        ("Custs", "bottompercent(-1,ID)", 400), ("Custs", "toppercent(100,ID)", 200),
        ("Custs", "toppercent(0.5,ID)", 200), ("Custs", "topsum(0,ID)", 200),
        ("Custs", "groupby((T.Model.VIP/Level))", 501),
    ])
    func checksNamesAndArguments(set: String, apply: String, status: Int) async throws {
        let service = try await ClauseService.make()
        let response = await service.get("\(set)?$apply=\(apply.percentEncoded)")
        #expect(response.status == status, "\(response.text)")
    }

    @Test(arguments: [
        ("concat(topcount(1,ID),aggregate($count as N))", "(@Core.AnyStructure)"),
        ("concat(aggregate($count as N,Price with sum as S),aggregate($count as N))", "(N)"),
        ("concat(aggregate($count as N),aggregate($count as N))", "(N)"),
        ("concat(topcount(1,ID),groupby((Name)))", "(Name)"),
        ("concat(topcount(1,ID),groupby((Name)))/compute(1 as One)", "(Name,One)"),
        ("groupby((rollup(Name,Price)),aggregate($count as N))", "(Name,N)"),
        ("groupby((Name),concat(aggregate($count as N),aggregate($count as M)))", "(Name)"),
        ("concat(identity,identity)", ""),
    ])
    func namesWhatAllRowsHave(apply: String, list: String) async throws {
        let response = await (try ClauseService.make()).get("Custs?$apply=\(apply.percentEncoded)")
        let start = #"{"@odata.context":"http://service.test/$metadata#Custs\#(list)""#
        #expect(response.text.hasPrefix(start), "\(response.text)")
    }

    @Test(arguments: ["$count as N", "Name with countdistinct as N"])
    func countsInDecimals(aggregate: String) async throws {
        let apply = "aggregate(\(aggregate))".percentEncoded
        let response = await (try ClauseService.make()).get("Custs?$apply=\(apply)")
        #expect(response.text.contains(##""N@odata.type":"#Decimal","N":"##), "\(response.text)")
        let number = response.text.split(separator: ":").last?.first
        #expect(number?.isNumber == true, "\(response.text)")
    }
}
