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
              -> 0 new, 1 changed, 0 removed
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
              -> 0 new, 1 changed, 0 removed
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
    ]
}
