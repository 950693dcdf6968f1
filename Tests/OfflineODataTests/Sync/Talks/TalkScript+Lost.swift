extension TalkScript {
    /// What becomes of requests whose answer was lost.
    static let losses = [
        TalkScript(
            "a lost deletion of a stream",
            #"""
            on GET Scans 200 {"value":[{"@odata.etag":"\"1\"","Page@odata.mediaEtag":"\"m1\"","ID":1}]}
            on GET Scans(1)/Page 200 ETag:"m1" Content-Type:text/plain one
            open +Scans
            download
              GET Scans
              GET Scans(1)/Page If-None-Match: "m1"
              -> 0 new, 0 changed, 0 removed
            DELETE Scans(1)/Page
            on DELETE Scans(1)/Page lost
            then 204
            upload
              DELETE Scans(1)/Page If-Match: "m1"
              -> error: the service cannot be reached: the connection broke (DELETE http://service.test/odata/Scans(1)/Page)
            on GET Scans(1)/Page 200 ETag:"m2" Content-Type:text/plain theirs
            upload
              GET Scans(1)/Page
              DELETE Scans(1)/Page If-Match: "m1"
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
              -> error: the service cannot be reached: the connection broke (PUT http://service.test/odata/Photos(1)/$value)
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
              -> error: the service cannot be reached: the connection broke (PUT http://service.test/odata/Photos(1)/$value)
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
              -> error: the service cannot be reached: the connection broke (PUT http://service.test/odata/Photos(1)/$value)
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
              -> error: the service cannot be reached: the connection broke (PUT http://service.test/odata/Photos(1)/$value)
            on GET Photos(1)/$value 200 ETag:"m7" Content-Type:text/plain theirs
            upload
              GET Photos(1)/$value
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed PUT Photos(1)/$value (412) the answer was lost, and the service has another version now; the stream was changed at the service since: resolve the conflict of its entity with the local version or the service's version
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
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            on GET Orders(1) 404
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed PATCH Orders(1) (404) the service has deleted the entity: the service answered 404; the answer was lost when it was sent before, and the service did not show its effect then: it may have been carried out all the same
            """#
        ),
        TalkScript(
            "a lost creation whose key somebody else has by now",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 200 {"value":[]}
            on POST Tags 409 {"error":{"code":"taken","message":"there is such a tag"}}
            upload
              GET Tags('t')
              GET Tags?$select=Name
              POST Tags {"Name":"t","Color":"r"}
              GET Tags('t')
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed POST Tags (409) there is such a tag; the answer was lost when it was sent before, and the service did not show its effect then: it may have been carried out all the same
            """#
        ),
        TalkScript(
            "a look at which the service fails is repeated by the next upload",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            on GET Orders(1) 500
            upload
              GET Orders(1)
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome PATCH Orders(1) (0) the answer was lost, and the service failed when it was asked whether the request was carried out: the next upload asks again; or look for its effect there and retry it, drop it, or name what it created with 'identify'
            on GET Orders(1) 200 ETag:"1" {"ID":1,"Title":"a"}
            on PATCH Orders(1) 204 ETag:"2"
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
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
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            on GET Orders(1) 200 {"value":3}
            upload
              GET Orders(1)
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome PATCH Orders(1) (0) the answer was lost, and the service failed when it was asked whether the request was carried out: the next upload asks again; or look for its effect there and retry it, drop it, or name what it created with 'identify'
            retry 1
            on PATCH Orders(1) 204 ETag:"2"
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a page to log on in the place of the look is no answer",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            on GET Orders(1) 403
            upload
              GET Orders(1)
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            on GET Orders(1) 200 ETag:"2" {"ID":1,"Title":"b"}
            upload
              GET Orders(1)
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
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 200 {"value":[]}
            on POST Tags 201 {"Name":"t","Color":"r"}
            upload
              GET Tags('t')
              GET Tags?$select=Name
              POST Tags {"Name":"t","Color":"r"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost creation that somebody else has changed since is shown as it was read",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 200 ETag:"2" {"Name":"t","Color":"theirs"}
            upload
              GET Tags('t')
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            rows Tags
              {"value":[{"Name":"t","Color":"theirs"}]}
            PATCH Tags('t') {"Color":"mine"}
            on PATCH Tags('t') 204 ETag:"3"
            upload
              PATCH Tags('t') If-Match: "2" {"Color":"mine"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a lost update whose values stay what they were shows nothing of its link",
            #"""
            on GET Orders 200 {"value":[{"ID":1},{"ID":2}]}
            on GET Items 200 {"value":[{"ID":5,"OrderID":1}]}
            open Orders Items
            PATCH Items(5) {"OrderID":1,"Order@odata.bind":"Orders(2)"}
            on GET Items(5) 200 {"ID":5,"OrderID":1}
            on PATCH Items(5) lost
            then 204
            upload
              GET Items(5)
              PATCH Items(5) If-Match: * {"OrderID":1,"Order@odata.bind":"Orders(2)"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Items(5))
            upload
              GET Items(5)
              GET Items(5)/Order
              PATCH Items(5) If-Match: * {"OrderID":1,"Order@odata.bind":"Orders(2)"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a slash, a percent sign and a question mark of a key stay in the key of an id",
            #"""
            on GET Orders?$expand=Tags 200 {"value":[{"ID":1,"Tags":[{"Name":"a/b"},{"Name":"5%2F"},{"Name":"what? #1"}]}]}
            open Orders?$expand=Tags
            DELETE Orders(1)/Tags/$ref?$id=Tags('a%252Fb')
            DELETE Orders(1)/Tags/$ref?$id=Tags('5%25252F')
            DELETE Orders(1)/Tags/$ref?$id=Tags('what%253F%20%25231')
            on DELETE Orders(1)/Tags/$ref?$id=http://service.test/odata/Tags('a%252Fb') 204
            on DELETE Orders(1)/Tags/$ref?$id=http://service.test/odata/Tags('5%25252F') 204
            on DELETE Orders(1)/Tags/$ref?$id=http://service.test/odata/Tags('what%253F%20%25231') 204
            upload
              DELETE Orders(1)/Tags/$ref?$id=http://service.test/odata/Tags('a%252Fb')
              DELETE Orders(1)/Tags/$ref?$id=http://service.test/odata/Tags('5%25252F')
              DELETE Orders(1)/Tags/$ref?$id=http://service.test/odata/Tags('what%253F%20%25231')
              -> 3 done, 0 refused, 0 waiting, 0 parked, 0 unknown
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
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 200 {"value":[],"@odata.nextLink":"http://elsewhere.test/x"}
            upload
              GET Tags('t')
              GET Tags?$select=Name
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome POST Tags (0) the answer was lost, and the service does not show whether the request was carried out: look for its effect there; then retry it, drop it, or name what it created with 'identify'
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
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            queue
              2 sending POST Tags
              3 pending POST Tags
            """#
        ),
        TalkScript(
            "a lost creation beside entities that are known",
            #"""
            on GET Tags 200 {"value":[{"Name":"a"},{"Name":"b"}]}
            open Tags
            PATCH Tags('b') {"Color":"g"}
            POST Tags {"Name":"t","Color":"r"}
            on PATCH Tags('b') 400
            on POST Tags lost
            upload
              GET Tags('b')
              GET Tags('b')
              PATCH Tags('b') If-Match: * {"Color":"g"}
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 200 {"value":[{"Name":"b"},{"Name":"a"}]}
            on POST Tags 201 {"Name":"t","Color":"r"}
            upload
              GET Tags('t')
              GET Tags?$select=Name
              POST Tags {"Name":"t","Color":"r"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a lost creation where the service has an entity that is not known",
            #"""
            on GET Tags 200 {"value":[{"Name":"a"}]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 200 {"value":[{"Name":"a"}],"@odata.nextLink":"Tags?$skiptoken=2"}
            on GET Tags?$skiptoken=2 200 {"value":[{"Name":"T"}]}
            upload
              GET Tags('t')
              GET Tags?$select=Name
              GET Tags?$skiptoken=2
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            """#
        ),
        TalkScript(
            "a lost creation is looked for on pages whose links are meant from the context URL",
            #"""
            on GET Tags 200 {"value":[{"Name":"a"}]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 200 {"@odata.context":"$metadata#Tags","value":[{"Name":"a"}],"@odata.nextLink":"pages/2"}
            on GET pages/2 200 {"@odata.context":"../$metadata#Tags","value":[{"Name":"a"}],"@odata.nextLink":"pages/3"}
            on GET pages/3 200 {"value":[{"Name":"T"}]}
            upload
              GET Tags('t')
              GET Tags?$select=Name
              GET pages/2
              GET pages/3
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            """#
        ),
        TalkScript(
            "a lost creation where the service does not show keys",
            #"""
            on GET Tags 200 {"value":[{"Name":"a"}]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 200 {"value":[{"Color":"a"}]}
            upload
              GET Tags('t')
              GET Tags?$select=Name
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            """#
        ),
        TalkScript(
            "a lost creation where the service refuses to show its keys",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 400
            upload
              GET Tags('t')
              GET Tags?$select=Name
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            """#
        ),
        TalkScript(
            "a lost creation where the service is busy when it is asked",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name lost
            upload
              GET Tags('t')
              GET Tags?$select=Name
              -> error: the service cannot be reached: the connection broke (GET http://service.test/odata/Tags?$select=Name)
            queue
              1 sending POST Tags
            """#
        ),
        TalkScript(
            "a lost creation whose set leads round in a circle",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 404
            on GET Tags?$select=Name 200 {"value":[],"@odata.nextLink":"Tags?$select=Name"}
            upload
              GET Tags('t')
              GET Tags?$select=Name
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            """#
        ),
        TalkScript(
            "a lost creation that meets another entity without an ETag",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags lost
            then 201 {"Name":"t","Color":"r"}
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 200 {"Name":"t","Color":"theirs"}
            upload
              GET Tags('t')
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome POST Tags (0) the answer was lost, and the service does not show whether the request was carried out: look for its effect there; then retry it, drop it, or name what it created with 'identify'
            rows Tags
              {"value":[{"Name":"t","Color":"r"}]}
            """#
        ),
        TalkScript(
            "a lost update, and others have changed what a later one writes",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a","Price":1}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            PATCH Orders(1) {"Price":5}
            on GET Orders(1) 200 {"@odata.etag":"\"3\"","ID":1,"Title":"b","Price":9}
            on PATCH Orders(1) 204 ETag:"4"
            upload
              GET Orders(1)
              GET Orders(1)
              -> 1 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              2 failed PATCH Orders(1) (412) it was not sent, since a read has shown another version at the service; the entity was changed at the service since: resolve the conflict with the local version, the service's version or a merge of both
            rows Orders
              {"value":[{"ID":1,"Title":"b","Price":5}]}
            """#
        ),
        TalkScript(
            "streams go one by one, and the answer to one is lost",
            #"""
            on GET Photos 200 {"value":[{"ID":1},{"ID":2},{"ID":3}]}
            open Photos
            PUT Photos(1)/$value one
            PUT Photos(2)/$value two
            PUT Photos(3)/$value three
            on PUT Photos(1)/$value 204 ETag:"m1"
            on PUT Photos(2)/$value lost
            upload
              PUT Photos(1)/$value one
              PUT Photos(2)/$value two
              -> error: the service cannot be reached: the connection broke (PUT http://service.test/odata/Photos(2)/$value)
            queue
              2 sending PUT Photos(2)/$value
              3 pending PUT Photos(3)/$value
            """#
        ),
        TalkScript(
            "a lost update under the same ETag goes again",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            then 204 ETag:"2"
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            on GET Orders(1) 200 {"@odata.etag":"\"1\"","ID":1,"Title":"a"}
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost update whose entity has another ETag and the same values goes again",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            then 204 ETag:"3"
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            on GET Orders(1) 200 ETag:"2" {"ID":1,"Title":"a"}
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost update that met another is in conflict",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            then 204 ETag:"3"
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            on GET Orders(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"theirs"}
            upload
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed PATCH Orders(1) (412) the answer was lost, and the service has another version now; the entity was changed at the service since: resolve the conflict with the local version, the service's version or a merge of both
            """#
        ),
        TalkScript(
            "a lost update without ETags that met another is in conflict",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            on GET Orders(1) 200 {"ID":1,"Title":"a"}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) lost
            then 204
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: * {"Title":"b"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            on GET Orders(1) 200 {"ID":1,"Title":"theirs"}
            upload
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed PATCH Orders(1) (412) the answer was lost, and the service has another version now; the entity was changed at the service since: resolve the conflict with the local version, the service's version or a merge of both
            """#
        ),
        TalkScript(
            "a lost deletion of what is there goes again",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"},{"ID":2}]}
            open Orders
            DELETE Orders(1)
            DELETE Orders(2)
            on GET Orders(2) 200 {"ID":2}
            on DELETE Orders(1) lost
            then 204
            on DELETE Orders(2) lost
            upload
              GET Orders(2)
              DELETE Orders(1) If-Match: "1"
              -> error: the service cannot be reached: the connection broke (DELETE http://service.test/odata/Orders(1))
            on GET Orders(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"theirs"}
            upload
              GET Orders(1)
              DELETE Orders(1) If-Match: "1"
              DELETE Orders(2) If-Match: *
              -> error: the service cannot be reached: the connection broke (DELETE http://service.test/odata/Orders(2))
            queue
              2 sending DELETE Orders(2)
            on GET Orders(2) 404
            upload
              GET Orders(2)
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost creation that is there is done",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            PATCH Tags('t') {"Color":"g"}
            on POST Tags lost
            upload
              POST Tags {"Name":"t","Color":"r"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            on GET Tags('t') 200 {"@odata.etag":"\"1\"","Name":"t","Color":"r"}
            on PATCH Tags('t') 204 ETag:"2"
            upload
              GET Tags('t')
              PATCH Tags('t') If-Match: "1" {"Color":"g"}
              -> 2 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost link is made once more",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            on GET Tags 200 {"value":[{"Name":"t"}]}
            open Orders Tags
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            on POST Orders(1)/Tags/$ref lost
            then 204
            upload
              POST Orders(1)/Tags/$ref {"@odata.id":"http://service.test/odata/Tags('t')"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Orders(1)/Tags/$ref)
            upload
              GET Orders(1)/Tags('t')
              POST Orders(1)/Tags/$ref {"@odata.id":"http://service.test/odata/Tags('t')"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost link that is there is not made twice",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            on GET Tags 200 {"value":[{"Name":"t"}]}
            open Orders Tags
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            on POST Orders(1)/Tags/$ref lost
            then 409
            upload
              POST Orders(1)/Tags/$ref {"@odata.id":"http://service.test/odata/Tags('t')"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Orders(1)/Tags/$ref)
            on GET Orders(1)/Tags('t') 200 {"Name":"t"}
            upload
              GET Orders(1)/Tags('t')
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost link is made where another entity is shown",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            on GET Tags 200 {"value":[{"Name":"t"}]}
            open Orders Tags
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            on POST Orders(1)/Tags/$ref lost
            then 204
            upload
              POST Orders(1)/Tags/$ref {"@odata.id":"http://service.test/odata/Tags('t')"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Orders(1)/Tags/$ref)
            on GET Orders(1)/Tags('t') 200 {"Name":"other"}
            upload
              GET Orders(1)/Tags('t')
              POST Orders(1)/Tags/$ref {"@odata.id":"http://service.test/odata/Tags('t')"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost call is left to a person",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            open Orders
            POST Orders(1)/S.close {}
            on POST Orders(1)/S.close lost
            upload
              POST Orders(1)/S.close {}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Orders(1)/S.close)
            upload
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome POST Orders(1)/S.close (0) the answer was lost, and the service does not show whether the request was carried out: look for its effect there; then retry it, drop it, or name what it created with 'identify'
            """#
        ),
        TalkScript(
            "a request that is sent again is asked for where its new sending was accepted",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) 202 Location:mon Retry-After:0
            then lost
            then 204 ETag:"3"
            on GET mon 200 AsyncResult:412
            on GET Orders(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"a"}
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              GET mon
              GET Orders(1)
              PATCH Orders(1) If-Match: "2" {"Title":"b"}
              -> error: the service cannot be reached: the connection broke (PATCH http://service.test/odata/Orders(1))
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: "2" {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a lost creation is open while the service shows an entity that waits here",
            #"""
            on GET Orders 200 {"value":[]}
            open Orders
            POST Orders {"ID":5,"Title":"a"}
            POST Orders {"ID":7,"Title":"b"}
            on POST Orders lost
            upload
              POST Orders {"ID":5,"Title":"a"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Orders)
            on GET Orders(5) 404
            on GET Orders?$select=ID 200 {"value":[{"ID":7}]}
            on POST Orders 201 {"ID":7,"Title":"b"}
            upload
              GET Orders(5)
              GET Orders?$select=ID
              POST Orders {"ID":7,"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              1 unknownOutcome POST Orders (0) the answer was lost, and the service does not show whether the request was carried out: look for its effect there; then retry it, drop it, or name what it created with 'identify'
            """#
        ),
        TalkScript(
            "a monitor that has told nothing is asked once",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"a"}
            on POST Tags 202 Location:monitor Retry-After:0
            on GET monitor lost
            upload
              POST Tags {"Name":"a"}
              GET monitor
              -> error: the service cannot be reached: the connection broke (GET http://service.test/odata/monitor)
            on GET monitor 404
            on GET Tags('a') 503
            upload
              GET monitor
              GET Tags('a')
              -> error: the service answered 503 to GET http://service.test/odata/Tags('a')
            on GET Tags('a') 200 {"Name":"a"}
            upload
              GET Tags('a')
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a creation that shows what is inside of it and no key is looked for",
            #"""
            on GET Orders 200 {"value":[]}
            open Orders
            POST Orders {"ID":1,"Title":"a","Lines":[{"No":2,"Text":"x"}]}
            PATCH Orders(1)/Lines(2) {"Text":"y"}
            on POST Orders 201 {"Title":"a","Lines":[{"No":3,"Text":"x"}]}
            on GET Orders(1) 200 {"ID":1,"Title":"a"}
            on PATCH Orders(1)/Lines(3) 204
            upload
              POST Orders {"ID":1,"Title":"a","Lines":[{"No":2,"Text":"x"}]}
              GET Orders(1)
              PATCH Orders(1)/Lines(3) If-Match: * {"Text":"y"}
              -> 2 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "an accepted creation that is not there yet is not sent again",
            #"""
            on GET Orders 200 {"value":[]}
            open Orders
            POST Orders {"ID":1,"Title":"a"}
            on POST Orders 201 {"ID":1,"Title":"a"}
            upload
              POST Orders {"ID":1,"Title":"a"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            POST Orders {"ID":2,"Title":"b"}
            on POST Orders 202
            then 204
            on GET Orders(2) 404
            upload
              POST Orders {"ID":2,"Title":"b"}
              GET Orders(2)
              -> 0 done, 0 refused, 0 waiting, 0 parked, 1 unknown
            queue
              2 unknownOutcome POST Orders (0) the service answered 202, and the service does not show whether the request was carried out: look for its effect there; then retry it, drop it, or name what it created with 'identify'
            """#
        ),
    ]
}
