extension TalkScript {
    /// What is asked for in a download, and what the store has then.
    static let downloads = [
        TalkScript(
            "a next link that is a query alone belongs to the page's address",
            #"""
            on GET Orders 200 {"@odata.context":"http://service.test/odata/$metadata#Orders","value":[{"ID":1}],"@odata.nextLink":"?$skip=1"}
            on GET Orders?$skip=1 200 {"@odata.context":"http://service.test/odata/$metadata#Orders","value":[{"ID":2}]}
            open Orders
            download
              GET Orders
              GET Orders?$skip=1
              -> 0 new, 0 changed, 0 removed
            rows Orders?$select=ID
              {"value":[{"ID":1},{"ID":2}]}
            """#
        ),
        TalkScript(
            "the ETag of an entity that is asked for alone stands beside it",
            #"""
            on GET Tags('t') 200 ETag:"7" {"Name":"t","Color":"r"}
            open Tags('t')
            PATCH Tags('t') {"Color":"g"}
            on PATCH Tags('t') 204 ETag:"8"
            upload
              PATCH Tags('t') If-Match: "7" {"Color":"g"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a stream that is gone for good is none",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","@odata.mediaEtag":"\"m1\"","ID":1}]}
            on GET Photos(1)/$value 410
            open +Photos
            stream Photos(1)/$value
              none
            """#
        ),
        TalkScript(
            "a stream that was asked for by itself is read anew with its entity",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","@odata.mediaEtag":"\"m1\"","ID":1}]}
            open Photos
            PUT Photos(1)/$value mine
            on PUT Photos(1)/$value 204 ETag:"m2"
            upload
              PUT Photos(1)/$value If-Match: "m1" mine
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            on GET Photos 200 {"value":[{"@odata.etag":"\"2\"","ID":1,"Title":"b"}]}
            on GET Photos(1)/$value 200 Content-Type:text/plain ETag:"m3" two
            download
              GET Photos
              GET Photos(1)/$value If-None-Match: "m2"
              -> 0 new, 1 changed, 0 removed
            stream Photos(1)/$value
              two
            """#
        ),
        TalkScript(
            "a stream whose answer has no ETag has that of its entity",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","@odata.mediaEtag":"\"m1\"","ID":1}]}
            on GET Photos(1)/$value 200 Content-Type:text/plain one
            open +Photos
            download
              GET Photos
              -> 0 new, 0 changed, 0 removed
            stream Photos(1)/$value
              one
            """#
        ),
        TalkScript(
            "the ETag of a first page is not that of all pages",
            #"""
            on GET Orders 200 ETag:"7" {"value":[{"ID":1}],"@odata.nextLink":"Orders?$skip=1"}
            on GET Orders?$skip=1 200 ETag:"8" {"value":[{"ID":2}]}
            open Orders
            download
              GET Orders
              GET Orders?$skip=1
              -> 0 new, 0 changed, 0 removed
            """#
        ),
        TalkScript(
            "a query that wants streams is read whatever its ETag says",
            #"""
            on GET Photos 200 ETag:"c1" {"value":[{"@odata.mediaEtag":"\"m1\"","ID":1}]}
            on GET Photos(1)/$value 200 ETag:"m1" Content-Type:text/plain one
            open +Photos
            download
              GET Photos
              -> 0 new, 0 changed, 0 removed
            on GET Photos 200 ETag:"c1" {"value":[{"@odata.mediaEtag":"\"m2\"","ID":1}]}
            on GET Photos(1)/$value 200 ETag:"m2" Content-Type:text/plain two
            download
              GET Photos
              GET Photos(1)/$value If-None-Match: "m1"
              -> 0 new, 1 changed, 0 removed
            stream Photos(1)/$value
              two
            """#
        ),
        TalkScript(
            "what is complete is asked for anew after another query was cut",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            on GET Tags 200 {"value":[{"Name":"t"}]}
            open Orders Tags
            on GET Orders 200 {"value":[{"ID":1,"Title":"b"}]}
            on GET Tags 200 {"value":[{"Name":"t"}],"@odata.nextLink":"Tags?p=2"}
            on GET Tags?p=2 lost
            download
              GET Orders
              GET Tags
              GET Tags?p=2
              -> error: the query Q1 (http://service.test/odata/Tags) failed: the service cannot be reached: the connection broke (GET http://service.test/odata/Tags?p=2)
            rows Orders
              {"value":[{"ID":1,"Title":"b","Price":null}]}
            on GET Orders 200 {"value":[{"ID":1,"Title":"c"}]}
            download
              GET Orders
              GET Tags?p=2
              -> error: the query Q1 (http://service.test/odata/Tags) failed: the service cannot be reached: the connection broke (GET http://service.test/odata/Tags?p=2)
            rows Orders
              {"value":[{"ID":1,"Title":"c","Price":null}]}
            """#
        ),
        TalkScript(
            "the first of several streams that do not come is told",
            #"""
            on GET Photos 200 {"value":[{"ID":1,"@odata.mediaEtag":"\"m1\""},{"ID":2,"@odata.mediaEtag":"\"m1\""}]}
            on GET Photos(1)/$value 200 ETag:"m1" Content-Type:text/plain one
            on GET Photos(2)/$value 200 ETag:"m1" Content-Type:text/plain two
            open +Photos
            on GET Photos 200 {"value":[{"ID":1,"@odata.mediaEtag":"\"m2\""},{"ID":2,"@odata.mediaEtag":"\"m2\""}]}
            on GET Photos(1)/$value 409
            on GET Photos(2)/$value 404
            on GET Photos(2)/$value 409
            download
              GET Photos
              GET Photos(1)/$value If-None-Match: "m1"
              GET Photos(2)/$value If-None-Match: "m1"
              -> error: the query Q0 (http://service.test/odata/Photos) failed: stream Photos(1)/$value: the service answered 409 to GET http://service.test/odata/Photos(1)/$value
            stream Photos(1)/$value
              one
            """#
        ),
        TalkScript(
            "changes that cannot be read are not taken for a query of everything",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}],"@odata.deltaLink":"d"}
            open Orders
            on GET d 200 {"value":[{"ID":"x"}],"@odata.deltaLink":"d"}
            download
              GET d
              -> error: the query Q0 (http://service.test/odata/Orders) failed: the payload is refused: expected Int32, found a string in value[0]/ID (line 1, column 17, byte 16) (GET http://service.test/odata/d)
            on GET d 200 {"value":[{"ID":1,"Title":
            download
              GET d
              -> error: the query Q0 (http://service.test/odata/Orders) failed: the payload is refused: the payload is cut off in value[0]/Title (line 1, column 27, byte 26) (GET http://service.test/odata/d)
            on GET d 200 {"value":[{"ID":1,"Title":"b"}],"@odata.deltaLink":"d"}
            download
              GET d
              -> 0 new, 1 changed, 0 removed
            rows Orders
              {"value":[{"ID":1,"Title":"b","Price":null}]}
            """#
        ),
        TalkScript(
            "rests of collections are asked for one after the other",
            #"""
            on GET Orders?$expand=Items 200 {"value":[{"ID":1,"Items":[{"ID":4,"OrderID":1}],"Items@odata.nextLink":"n1"},{"ID":2,"Items":[],"Items@odata.nextLink":"n2"}]}
            on GET n1 200 {"value":[{"ID":5,"OrderID":1}]}
            on GET n2 200 {"value":[{"ID":6,"OrderID":2}]}
            open Orders?$expand=Items
            download
              GET Orders?$expand=Items
              GET n1
              GET n2
              -> 0 new, 0 changed, 0 removed
            rows Orders(1)/Items?$select=ID
              {"value":[{"ID":4},{"ID":5}]}
            rows Orders(2)/Items?$select=ID
              {"value":[{"ID":6}]}
            """#
        ),
        TalkScript(
            "the rest of what one entity holds comes as a collection",
            #"""
            on GET Orders(1)?$expand=Items,Tags 200 {"ID":1,"Items":[{"ID":4,"OrderID":1}],"Items@odata.nextLink":"n1","Tags":[]}
            on GET n1 200 {"value":[{"ID":5,"OrderID":1}]}
            open Orders(1)?$expand=Items,Tags
            download
              GET Orders(1)?$expand=Items,Tags
              GET n1
              -> 0 new, 0 changed, 0 removed
            rows Orders(1)/Items?$select=ID
              {"value":[{"ID":4},{"ID":5}]}
            """#
        ),
        TalkScript(
            "a query that expands is read whatever its ETag says",
            #"""
            on GET Orders?$expand=Items 200 ETag:"1" {"value":[{"ID":1,"Items":[{"ID":4,"OrderID":1}]}]}
            on GET Tags 200 ETag:"2" {"value":[{"Name":"t"}]}
            open Orders?$expand=Items Tags
            on GET Tags 304
            download
              GET Orders?$expand=Items
              GET Tags If-None-Match: "2"
              -> 0 new, 0 changed, 0 removed
            """#
        ),
    ]
}
