extension TalkScript {
    /// Entities and complex values with members that no metadata declares.
    static let openTypes = [
        TalkScript(
            "what a delta does not mention stays",
            #"""
            on GET Bags 200 {"value":[{"ID":1,"Amount":1.50,"Zed":"keep","Born@odata.type":"#Date","Born":"2020-01-01"}],"@odata.deltaLink":"d"}
            open Bags
            on GET d 200 {"value":[{"ID":1,"Born":"once"}],"@odata.deltaLink":"d2"}
            download
              GET d
              -> 0 new, 1 changed, 0 removed
            rows Bags
              {"value":[{"ID":1,"Amount":1.50,"Note":null,"Zed":"keep","Born":"once"}]}
            on GET d2 200 {"value":[{"ID":1,"Zed":"new"},{"ID":1,"Zed":null,"Far":{"A":1}}],"@odata.deltaLink":"d3"}
            download
              GET d2
              -> 0 new, 1 changed, 0 removed
            rows Bags
              {"value":[{"ID":1,"Amount":1.50,"Note":null,"Born":"once","Zed":null,"Far":{"A":1}}]}
            on GET d3 200 {"value":[{"@odata.context":"$metadata#Bags/$deletedEntity","id":"Bags(1)","reason":"deleted"},{"ID":1,"Note":null}],"@odata.deltaLink":"d4"}
            download
              GET d3
              -> 0 new, 1 changed, 0 removed
            rows Bags
              {"value":[{"ID":1,"Note":null}]}
            """#
        ),
        TalkScript(
            "a member that is taken out of a complex value is null for the service",
            #"""
            on GET Bags 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Note":{"Text":"t","Page":2,"Odd":3}}]}
            open Bags
            PATCH Bags(1) {"Note":{"Odd":null}}
            PUT Bags(1)/Note {"Text":"new"}
            on PATCH Bags(1) 204 ETag:"2"
            upload
              PATCH Bags(1) If-Match: "1" {"Note":{"Text":"t","Page":2,"Odd":null}}
              PATCH Bags(1) If-Match: "2" {"Note":{"Text":"new","Page":null,"Odd":null}}
              -> 2 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a property of a derived type is changed where it is",
            #"""
            on GET Bags 200 {"value":[{"@odata.type":"#S.Sack","@odata.etag":"\"1\"","ID":1,"Size":7}]}
            open Bags
            PATCH Bags(1) {"Size":8}
            rows Bags
              {"value":[{"ID":1,"Amount":null,"Note":null,"Size":8}]}
            on PATCH Bags(1) 204
            upload
              PATCH Bags(1) If-Match: "1" {"@odata.type":"#S.Sack","Size":8}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a change through a cast is one of the entity's own type",
            #"""
            on GET Bags 200 {"value":[{"@odata.type":"#S.Pouch","@odata.etag":"\"1\"","ID":1,"Size":7}]}
            open Bags
            PATCH Bags(1)/S.Sack {"Size":8}
            on PATCH Bags(1) 204
            upload
              PATCH Bags(1) If-Match: "1" {"@odata.type":"#S.Pouch","Size":8}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a complex value that states no type is of the declared one",
            #"""
            on GET Bags 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Note":{"@odata.type":"#S.Memo","Text":"t","Due":"2020-01-01"}}]}
            open Bags
            PUT Bags(1)/Note {"Text":"b"}
            on PATCH Bags(1) 204
            upload
              PATCH Bags(1) If-Match: "1" {"Note":{"Text":"b"}}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
    ]
}
