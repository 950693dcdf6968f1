extension TalkScript {
    /// What becomes of requests whose answer was lost.
    static let losses = [
        TalkScript(
            "a lost deletion of a stream",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","@odata.mediaEtag":"\"m1\"","ID":1}]}
            on GET Photos(1)/$value 200 ETag:"m1" Content-Type:text/plain one
            open +Photos
            download
              GET Photos
              -> 0 new, 1 changed, 0 removed
            DELETE Photos(1)/$value
            on DELETE Photos(1)/$value lost
            then 204
            upload
              DELETE Photos(1)/$value If-Match: "m1"
              -> error: the service cannot be reached: the connection broke
            on GET Photos(1)/$value 200 ETag:"m2" Content-Type:text/plain theirs
            upload
              GET Photos(1)/$value
              DELETE Photos(1)/$value If-Match: "m1"
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost stream whose content cannot be read",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","@odata.mediaEtag":"\"m1\"","ID":1}]}
            open Photos
            PUT Photos(1)/$value mine
            on PUT Photos(1)/$value lost
            then 204 ETag:"m2"
            upload
              PUT Photos(1)/$value If-Match: "m1" mine
              -> error: the service cannot be reached: the connection broke
            on GET Photos(1)/$value 403
            upload
              GET Photos(1)/$value
              PUT Photos(1)/$value If-Match: "m1" mine
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost stream that is not there",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","ID":1}]}
            open Photos
            PUT Photos(1)/$value mine
            on PUT Photos(1)/$value lost
            then 204
            upload
              PUT Photos(1)/$value mine
              -> error: the service cannot be reached: the connection broke
            on GET Photos(1)/$value 404
            upload
              GET Photos(1)/$value
              PUT Photos(1)/$value mine
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost stream without an ETag goes over another one",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","ID":1}]}
            open Photos
            PUT Photos(1)/$value mine
            on PUT Photos(1)/$value lost
            then 204
            upload
              PUT Photos(1)/$value mine
              -> error: the service cannot be reached: the connection broke
            on GET Photos(1)/$value 200 Content-Type:text/plain theirs
            upload
              GET Photos(1)/$value
              PUT Photos(1)/$value mine
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost stream that met another one",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","@odata.mediaEtag":"\"m1\"","ID":1}]}
            open Photos
            PUT Photos(1)/$value mine
            on PUT Photos(1)/$value lost
            then 204
            upload
              PUT Photos(1)/$value If-Match: "m1" mine
              -> error: the service cannot be reached: the connection broke
            on GET Photos(1)/$value 200 ETag:"m7" Content-Type:text/plain theirs
            upload
              GET Photos(1)/$value
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome PUT Photos(1)/$value (0) the answer was lost, and the service does not tell whether the request was carried out: look for its effect there; then retry it, drop it, or name what it created with 'identify'
            stream Photos(1)/$value
              mine
            """#
        ),
        TalkScript(
            "a lost update of what is gone",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            then 404
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke
            on GET Orders(1) 404
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed PATCH Orders(1) (404) the service has deleted the entity: the service answered 404
            """#
        ),
        TalkScript(
            "a lost answer to what cannot be read",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke
            on GET Orders(1) 200 {"value":3}
            upload
              GET Orders(1)
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome PATCH Orders(1) (0) the answer was lost, and the service does not tell whether the request was carried out: look for its effect there; then retry it, drop it, or name what it created with 'identify'
            retry 1
            on PATCH Orders(1) 204 ETag:"2"
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost creation with a key",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke
            on GET Tags('t') 404
            on GET Tags?$filter=Color%20eq%20%27r%27&$top=1 200 {"value":[]}
            on POST Tags 201 {"Name":"t","Color":"r"}
            upload
              GET Tags('t')
              GET Tags?$filter=Color%20eq%20%27r%27&$top=1
              POST Tags {"Name":"t","Color":"r"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost creation that cannot be looked for",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke
            on GET Tags('t') 404
            on GET Tags?$filter=Color%20eq%20%27r%27&$top=1 200 {"value":[],"@odata.nextLink":"x"}
            upload
              GET Tags('t')
              GET Tags?$filter=Color%20eq%20%27r%27&$top=1
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome POST Tags (0) the answer was lost, and the service does not tell whether the request was carried out: look for its effect there; then retry it, drop it, or name what it created with 'identify'
            """#
        ),
        TalkScript(
            "what was answered before a break is kept",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"a"}
            POST Tags {"Name":"b"}
            POST Tags {"Name":"c"}
            on POST Tags 201 {"Name":"a"}
            then lost
            upload
              POST Tags {"Name":"a"}
              POST Tags {"Name":"b"}
              -> error: the service cannot be reached: the connection broke
            queue
              2 sending POST Tags
              3 pending POST Tags
            """#
        ),
        TalkScript(
            "a lost creation is looked for by a value with a quote",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"it's"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"it's"}
              -> error: the service cannot be reached: the connection broke
            on GET Tags('t') 404
            on GET Tags?$filter=Color%20eq%20%27it%27%27s%27&$top=1 200 {"value":[]}
            on POST Tags 201 {"Name":"t","Color":"it's"}
            upload
              GET Tags('t')
              GET Tags?$filter=Color%20eq%20%27it%27%27s%27&$top=1
              POST Tags {"Name":"t","Color":"it's"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
    ]
}
