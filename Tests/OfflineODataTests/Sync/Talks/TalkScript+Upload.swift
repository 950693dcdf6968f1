extension TalkScript {
    /// Refusals for an ETag, and answers that concern more than one request.
    static let uploads = [
        TalkScript(
            "a deletion whose ETag was refused is done where the entity is gone",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            DELETE Orders(1)
            on DELETE Orders(1) 412
            on GET Orders(1) 404
            upload
              DELETE Orders(1) If-Match: "1"
              GET Orders(1)
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a deletion goes on under the ETag that it was made on, and takes nothing away that nobody here has seen",
            #"""
            on GET Orders?$select=Title 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders?$select=Title
            DELETE Orders(1)
            on GET Orders?$select=Title 200 {"value":[{"@odata.etag":"\"2\"","ID":1,"Title":"a"}]}
            download
              GET Orders?$select=Title
              -> 0 new, 0 changed, 0 removed
            on DELETE Orders(1) 412
            on GET Orders(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"a","Price":5}
            upload
              DELETE Orders(1) If-Match: "1"
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a deletion of what is known whole needs the new ETag only",
            #"""
            on GET Bags 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Amount":1,"Note":null}]}
            open Bags
            DELETE Bags(1)
            on GET Bags 200 {"value":[{"@odata.etag":"\"2\"","ID":1,"Amount":1,"Note":null}]}
            download
              GET Bags
              -> 0 new, 0 changed, 0 removed
            on DELETE Bags(1) 412
            then 204
            on GET Bags(1) 200 {"@odata.etag":"\"2\"","ID":1,"Amount":1,"Note":null}
            upload
              DELETE Bags(1) If-Match: "1"
              GET Bags(1)
              DELETE Bags(1) If-Match: "2"
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a deletion of a media entity whose content others have replaced",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Photos
            DELETE Photos(1)
            on GET Photos 200 {"value":[{"@odata.etag":"\"2\"","ID":1,"Title":"a"}]}
            download
              GET Photos
              -> 0 new, 0 changed, 0 removed
            on DELETE Photos(1) 412
            on GET Photos(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"a"}
            upload
              DELETE Photos(1) If-Match: "1"
              GET Photos(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "an entity that others have taken out of a query is read before a change of it, where there are no ETags",
            #"""
            on GET Orders?$filter=Price%20gt%205 200 {"value":[{"ID":1,"Title":"a","Price":9},{"ID":2,"Title":"b","Price":9}],"@odata.deltaLink":"Orders?$deltatoken=1"}
            open Orders?$filter=Price%20gt%205
            PATCH Orders(1) {"Title":"mine"}
            DELETE Orders(2)
            on GET Orders?$deltatoken=1 200 {"@odata.context":"$metadata#Orders/$delta","value":[{"@odata.context":"$metadata#Orders/$deletedEntity","id":"Orders(1)","reason":"changed"},{"@odata.context":"$metadata#Orders/$deletedEntity","id":"Orders(2)","reason":"changed"}],"@odata.deltaLink":"Orders?$deltatoken=2"}
            download
              GET Orders?$deltatoken=1
              -> 0 new, 0 changed, 0 removed
            on GET Orders(1) 200 {"ID":1,"Title":"theirs","Price":1}
            on GET Orders(2) 200 {"ID":2,"Title":"b","Price":1}
            upload
              GET Orders(1)
              GET Orders(2)
              -> 0 done, 2 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a link whose foreign key others have changed, as a download has shown",
            #"""
            on GET Orders 200 {"value":[{"ID":1},{"ID":2},{"ID":3}]}
            on GET Items 200 {"value":[{"@odata.etag":"\"1\"","ID":5,"OrderID":1}]}
            open Orders Items
            PUT Items(5)/Order/$ref {"@odata.id":"Orders(2)"}
            on GET Items 200 {"value":[{"@odata.etag":"\"2\"","ID":5,"OrderID":3}]}
            download
              GET Orders
              GET Items
              -> 0 new, 0 changed, 0 removed
            upload
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed PUT Items(5)/Order/$ref (412) it was not sent, since a read has shown another version at the service; the entity was changed at the service since: resolve the conflict with the local version, the service's version or a merge of both
            resolve Items(5) local
            on PUT Items(5)/Order/$ref 204
            upload
              PUT Items(5)/Order/$ref {"@odata.id":"http://service.test/odata/Orders(2)"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a stream that others have replaced, as a download has brought",
            #"""
            on GET Photos 200 {"value":[{"ID":1,"Title":"a","@odata.mediaEtag":"\"m1\""}]}
            on GET Photos(1)/$value 200 ETag:"m1" first
            open +Photos
            PUT Photos(1)/$value mine
            on GET Photos 200 {"value":[{"ID":1,"Title":"a","@odata.mediaEtag":"\"m2\""}]}
            on GET Photos(1)/$value 200 ETag:"m2" theirs
            download
              GET Photos
              GET Photos(1)/$value If-None-Match: "m1"
              -> 0 new, 0 changed, 0 removed
            on PUT Photos(1)/$value 412
            upload
              PUT Photos(1)/$value If-Match: "m1" mine
              GET Photos(1)/$value
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "an update whose ETag was refused meets a deletion",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) 412
            on GET Orders(1) 204
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed PATCH Orders(1) (412) the service has deleted the entity: the service answered 412
            resolve Orders(1) server
            rows Orders
              {"value":[]}
            """#
        ),
        TalkScript(
            "an update that is in effect already is done",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) 412
            on GET Orders(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"b"}
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              GET Orders(1)
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            PATCH Orders(1) {"Title":"c"}
            on PATCH Orders(1) 204
            upload
              PATCH Orders(1) If-Match: "2" {"Title":"c"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a replacement of a stream that is in effect already is done",
            #"""
            on GET Photos 200 {"value":[{"@odata.etag":"\"1\"","@odata.mediaEtag":"\"m1\"","ID":1}]}
            open Photos
            PUT Photos(1)/$value mine
            on PUT Photos(1)/$value 412
            on GET Photos(1)/$value 200 ETag:"m2" Content-Type:text/plain mine
            upload
              PUT Photos(1)/$value If-Match: "m1" mine
              GET Photos(1)/$value
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a stream that is gone was deleted",
            #"""
            on GET Scans 200 {"value":[{"@odata.etag":"\"1\"","Page@odata.mediaEtag":"\"m1\"","ID":1}]}
            on GET Scans(1)/Page 200 ETag:"m1" Content-Type:text/plain theirs
            open +Scans
            download
              GET Scans
              GET Scans(1)/Page If-None-Match: "m1"
              -> 0 new, 0 changed, 0 removed
            stream Scans(1)/Page
              theirs
            DELETE Scans(1)/Page
            on DELETE Scans(1)/Page 412
            on GET Scans(1)/Page 404
            upload
              DELETE Scans(1)/Page If-Match: "m1"
              GET Scans(1)/Page
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            PUT Scans(1)/Page mine
            on PUT Scans(1)/Page 412
            upload
              PUT Scans(1)/Page mine
              GET Scans(1)/Page
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              2 failed PUT Scans(1)/Page (412) the service answered 412; the stream was changed at the service since: resolve the conflict of its entity with the local version or the service's version
            resolve Scans(1) local
            on PUT Scans(1)/Page 204 ETag:"m3"
            upload
              PUT Scans(1)/Page mine
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            stream Scans(1)/Page
              mine
            """#
        ),
        TalkScript(
            "a stale ETag cannot be read",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"},{"@odata.etag":"\"1\"","ID":2,"Title":"a"}]}
            open Orders
            PATCH Orders(1) {"Title":"b"}
            on PATCH Orders(1) 204
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            PATCH Orders(1) {"Title":"c"}
            PATCH Orders(2) {"Title":"c"}
            on PATCH Orders(2) 204 ETag:"2"
            on GET Orders(1) 200 {"nonsense":1
            upload
              GET Orders(1)
              PATCH Orders(2) If-Match: "1" {"Title":"c"}
              -> 1 done, 0 refused, 0 waiting, 1 parked, 0 unknown
            queue
              2 parked PATCH Orders(1) (0) the change was not sent: its ETag is not known any more, and reading it failed (the payload is cut off in nonsense (line 1, column 14, byte 13)); the next upload tries again
            on GET Orders(1) 500
            upload
              GET Orders(1)
              -> 0 done, 0 refused, 0 waiting, 1 parked, 0 unknown
            queue
              2 parked PATCH Orders(1) (0) the change was not sent: its ETag is not known any more, and reading it failed (the service answered 500 to GET http://service.test/odata/Orders(1)); the next upload tries again
            on GET Orders(1) 403
            upload
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              2 failed PATCH Orders(1) (403) the service answered 403; the change was not sent: its ETag is not known any more, and reading it failed (the service answered 403 to GET http://service.test/odata/Orders(1)); retry it later
            retry 2
            on GET Orders(1) 503
            upload
              GET Orders(1)
              -> error: the service answered 503 to GET http://service.test/odata/Orders(1)
            queue
              2 pending PATCH Orders(1)
            """#
        ),
        TalkScript(
            "entities without ETags are asked once",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"},{"ID":2,"Title":"a"}]}
            on GET Orders(1) 200 {"ID":1,"Title":"a"}
            on PATCH Orders(1) 204
            on PATCH Orders(2) 204
            open Orders
            PATCH Orders(1) {"Title":"b"}
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: * {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            PATCH Orders(2) {"Title":"b"}
            upload
              PATCH Orders(2) If-Match: * {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            PATCH Orders(1) {"Title":"c"}
            upload
              PATCH Orders(1) If-Match: * {"Title":"c"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "entities without ETags are asked once for each type",
            #"""
            on GET Orders 200 {"value":[{"ID":1},{"ID":2},{"@odata.type":"#S.Rush","ID":3},{"@odata.type":"#S.Rush","ID":4}]}
            on GET Orders(1) 200 {"ID":1}
            on GET Orders(3) 200 ETag:"3" {"@odata.type":"#S.Rush","ID":3}
            on GET Orders(4) 200 ETag:"4" {"@odata.type":"#S.Rush","ID":4}
            on PATCH Orders(1) 204
            on PATCH Orders(2) 204
            on PATCH Orders(3) 204 ETag:"5"
            on DELETE Orders(4) 204
            open Orders
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(2) {"Title":"b"}
            PATCH Orders(3) {"Title":"b"}
            DELETE Orders(4)
            upload
              GET Orders(1)
              GET Orders(3)
              GET Orders(4)
              PATCH Orders(1) If-Match: * {"Title":"b"}
              PATCH Orders(2) If-Match: * {"Title":"b"}
              PATCH Orders(3) If-Match: "3" {"Title":"b"}
              DELETE Orders(4) If-Match: "4"
              -> 4 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "an entity cannot be read by itself",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            on GET Orders(1) 403
            on PATCH Orders(1) 204
            open Orders
            PATCH Orders(1) {"Title":"b"}
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: * {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a call is refused without an ETag",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            POST Orders(1)/S.close {}
            on POST Orders(1)/S.close 428
            then 204
            on GET Orders(1) 200 {"@odata.etag":"\"1\"","ID":1,"Title":"a"}
            upload
              POST Orders(1)/S.close {}
              GET Orders(1)
              POST Orders(1)/S.close If-Match: "1" {}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            POST Orders(1)/S.close {}
            on POST Orders(1)/S.close 428
            then 204
            on GET Orders(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"theirs"}
            upload
              POST Orders(1)/S.close {}
              GET Orders(1)
              POST Orders(1)/S.close If-Match: "2" {}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a service that is busy",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"a"}
            POST Tags {"Name":"b"}
            on POST Tags 429
            upload
              POST Tags {"Name":"a"}
              -> error: the service answered 429 to POST Tags: it is busy or not reachable; nothing of it was carried out; call upload again later
            queue
              1 pending POST Tags
              2 pending POST Tags
            on POST Tags 201 {"Name":"a"}
            then 407
            upload
              POST Tags {"Name":"a"}
              POST Tags {"Name":"b"}
              -> error: the service wants other credentials; nothing was lost, call upload again with them
            queue
              2 pending POST Tags
            on POST Tags 201 {"Name":"b"}
            upload
              POST Tags {"Name":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a service that says when to come again has not handled the request",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"a"}
            on POST Tags 503 Retry-After:7
            upload
              POST Tags {"Name":"a"}
              -> error: the service answered 503 (Retry-After: 7) to POST Tags: it is busy or not reachable; nothing of it was carried out; call upload again later
            queue
              1 pending POST Tags
            """#
        ),
        TalkScript(
            "an error of a gateway names the request; its answer counts as lost",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"a"}
            on POST Tags 503
            upload
              POST Tags {"Name":"a"}
              -> error: the service answered 503 to POST Tags: it is busy or not reachable; whether it was carried out is not known; the next upload looks for its effect
            queue
              1 sending POST Tags
            """#
        ),
        TalkScript(
            "a link that was to be removed and is not there",
            #"""
            on GET Orders?$expand=Tags 200 {"value":[{"ID":1,"Tags":[{"Name":"a"},{"Name":"b"}]}]}
            open Orders?$expand=Tags
            DELETE Orders(1)/Tags/$ref?$id=Tags('a')
            on DELETE Orders(1)/Tags/$ref 404
            on GET Orders(1)/Tags('a') 404
            on GET Orders(1)/Tags?$top=1 200 {"value":[]}
            upload
              DELETE Orders(1)/Tags/$ref?$id=http://service.test/odata/Tags('a')
              GET Orders(1)/Tags('a')
              GET Orders(1)/Tags?$top=1
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a link that a service without such paths still has",
            #"""
            on GET Orders?$expand=Tags 200 {"value":[{"ID":1,"Tags":[{"Name":"a"},{"Name":"b"}]}]}
            open Orders?$expand=Tags
            DELETE Orders(1)/Tags/$ref?$id=Tags('a')
            on DELETE Orders(1)/Tags/$ref 404
            on GET Orders(1)/Tags('a') 404
            on GET Orders(1)/Tags?$top=1 404
            on GET Orders(1) 200 {"ID":1}
            upload
              DELETE Orders(1)/Tags/$ref?$id=http://service.test/odata/Tags('a')
              GET Orders(1)/Tags('a')
              GET Orders(1)/Tags?$top=1
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed DELETE Orders(1)/Tags/$ref?$id=Tags('a') (404) the service answered 404
            """#
        ),
        TalkScript(
            "a call with options is refused without an ETag",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            POST Orders(1)/S.close?x=a/b {}
            on POST Orders(1)/S.close?x=a/b 428
            then 204
            on GET Orders(1) 200 {"@odata.etag":"\"1\"","ID":1,"Title":"a"}
            upload
              POST Orders(1)/S.close?x=a/b {}
              GET Orders(1)
              POST Orders(1)/S.close?x=a/b If-Match: "1" {}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a call is refused without an ETag, and the entity has more than is known here",
            #"""
            on GET Orders?$select=ID,Title 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders?$select=ID,Title
            POST Orders(1)/S.close {}
            on POST Orders(1)/S.close 428
            then 204
            on GET Orders(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"a","Price":5}
            upload
              POST Orders(1)/S.close {}
              GET Orders(1)
              POST Orders(1)/S.close If-Match: "2" {}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a request that did not leave after one that was answered waits",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"a"}
            POST Tags {"Name":"b"}
            POST Tags {"Name":"c"}
            on POST Tags 201 {"Name":"a"}
            then 0
            upload
              POST Tags {"Name":"a"}
              POST Tags {"Name":"b"}
              -> error: the service cannot be reached: the connection broke (POST http://service.test/odata/Tags)
            queue
              2 pending POST Tags
              3 pending POST Tags
            on POST Tags 201 {"Name":"b"}
            then 201 {"Name":"c"}
            upload
              POST Tags {"Name":"b"}
              POST Tags {"Name":"c"}
              -> 2 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a creation that met another entity",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"t","Color":"r"}
            on POST Tags 409
            on GET Tags('t') 200 {"@odata.etag":"\"1\"","Name":"t","Color":"theirs"}
            upload
              POST Tags {"Name":"t","Color":"r"}
              GET Tags('t')
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed POST Tags (409) the service answered 409
            """#
        ),
        TalkScript(
            "reads that are not offered say nothing of ETags",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            on GET Orders(1) 501
            on PATCH Orders(1) 204
            open Orders
            PATCH Orders(1) {"Title":"b"}
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: * {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "a failure says nothing of what the service offers",
            #"""
            on GET Orders 200 {"value":[{"ID":1,"Title":"a"}]}
            on GET Orders(1) 500
            on PATCH Orders(1) 204
            open Orders
            PATCH Orders(1) {"Title":"b"}
            upload
              GET Orders(1)
              -> 0 done, 0 refused, 0 waiting, 1 parked, 0 unknown
            queue
              1 parked PATCH Orders(1) (0) the change was not sent: its ETag is not known any more, and reading it failed (the service answered 500 to GET http://service.test/odata/Orders(1)); the next upload tries again
            on GET Orders(1) 200 {"ID":1,"Title":"a"}
            upload
              GET Orders(1)
              PATCH Orders(1) If-Match: * {"Title":"b"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            """#
        ),
        TalkScript(
            "what contains an entity without key is looked for before it",
            #"""
            on GET Orders 200 {"value":[]}
            open Orders
            POST Orders {"ID":5,"Title":"a","Lines":[{"No":1}]}
            on POST Orders 201
            upload
              POST Orders {"ID":5,"Title":"a","Lines":[{"No":1}]}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            PATCH Orders(5)/Lines(1) {"Text":"x"}
            on GET Orders(5) 200 {"ID":5,"Title":"a"}
            on GET Orders(5)/Lines(1) 200 {"No":1}
            on PATCH Orders(5)/Lines(1) 204
            upload
              GET Orders(5)
              GET Orders(5)/Lines(1)
              PATCH Orders(5)/Lines(1) If-Match: * {"Text":"x"}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "a deletion with what the entity contains is no one's but a person's",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            open Orders
            DELETE Orders(1)
            on DELETE Orders(1) 412
            then 204
            on GET Orders(1) 200 {"@odata.etag":"\"2\"","ID":1,"Title":"a"}
            upload
              DELETE Orders(1) If-Match: "1"
              GET Orders(1)
              -> 0 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              1 failed DELETE Orders(1) (412) the service answered 412; the entity was changed at the service since: resolve the conflict with the local version or the service's
            resolve Orders(1) local
            upload
              DELETE Orders(1) If-Match: "2"
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "streams go one by one, and what did not leave waits",
            #"""
            on GET Photos 200 {"value":[{"ID":1},{"ID":2},{"ID":3}]}
            open Photos
            PUT Photos(1)/$value one
            PUT Photos(2)/$value two
            PUT Photos(3)/$value three
            on PUT Photos(1)/$value 204 ETag:"m1"
            on PUT Photos(2)/$value 0
            upload
              PUT Photos(1)/$value one
              PUT Photos(2)/$value two
              -> error: the service cannot be reached: the connection broke (PUT http://service.test/odata/Photos(2)/$value)
            queue
              2 pending PUT Photos(2)/$value
              3 pending PUT Photos(3)/$value
            """#
        ),
        TalkScript(
            "streams go one by one, and the service is busy",
            #"""
            on GET Photos 200 {"value":[{"ID":1},{"ID":2},{"ID":3}]}
            open Photos
            PUT Photos(1)/$value one
            PUT Photos(2)/$value two
            PUT Photos(3)/$value three
            on PUT Photos(1)/$value 204 ETag:"m1"
            on PUT Photos(2)/$value 429
            on PUT Photos(3)/$value 204
            upload
              PUT Photos(1)/$value one
              PUT Photos(2)/$value two
              -> error: the service answered 429 to PUT Photos(2)/$value: it is busy or not reachable; nothing of it was carried out; call upload again later
            queue
              2 pending PUT Photos(2)/$value
              3 pending PUT Photos(3)/$value
            """#
        ),
        TalkScript(
            "streams go one by one, and one is refused",
            #"""
            on GET Photos 200 {"value":[{"ID":1},{"ID":2},{"ID":3}]}
            open Photos
            PUT Photos(1)/$value one
            PUT Photos(2)/$value two
            PUT Photos(3)/$value three
            on PUT Photos(1)/$value 204 ETag:"m1"
            on PUT Photos(2)/$value 400
            on PUT Photos(3)/$value 204
            upload
              PUT Photos(1)/$value one
              PUT Photos(2)/$value two
              PUT Photos(3)/$value three
              -> 2 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              2 failed PUT Photos(2)/$value (400) the service answered 400
            """#
        ),
        TalkScript(
            "an update that adds links is sent again where only its ETag was another one",
            #"""
            on GET Orders 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"}]}
            on GET Tags 200 {"value":[{"Name":"x"}]}
            open Orders Tags
            PATCH Orders(1) {"Title":"b","Tags@odata.bind":["Tags('x')"]}
            on PATCH Orders(1) 412
            then 204 ETag:"3"
            on GET Orders(1) 200 ETag:"2" {"ID":1,"Title":"a"}
            upload
              PATCH Orders(1) If-Match: "1" {"Title":"b","Tags@odata.bind":["Tags('x')"]}
              GET Orders(1)
              PATCH Orders(1) If-Match: "2" {"Title":"b","Tags@odata.bind":["Tags('x')"]}
              -> 1 done, 0 refused, 0 waiting, 0 parked, 0 unknown
            queue
            """#
        ),
        TalkScript(
            "an entity without key that is not found is asked for once in an upload",
            #"""
            on GET Tags 200 {"value":[]}
            open Tags
            POST Tags {"Name":"a","Color":"8"}
            POST Tags {"Name":"b","Color":"9"}
            PATCH Tags('a') {"Color":"1"}
            PATCH Tags('b') {"Color":"2"}
            on POST Tags 204
            on GET Tags('a') 404
            on GET Tags('b') 404
            then 200 {"Name":"b","Color":"9"}
            on PATCH Tags('b') 204
            upload sorted
              GET Tags('a')
              GET Tags('a')
              GET Tags('b')
              GET Tags('b')
              PATCH Tags('b') If-Match: * {"Color":"2"}
              POST Tags {"Name":"a","Color":"8"}
              POST Tags {"Name":"b","Color":"9"}
              -> 3 done, 0 refused, 0 waiting, 1 parked, 0 unknown
            queue
              3 parked PATCH Tags('a') (0) the service has created Tags('a') without returning its key, and none of its entities was found to be this one: download the entity, name it with 'identify', or drop this request
            """#
        ),
        TalkScript(
            "a change below an entity is no call of it",
            #"""
            on GET Orders?$expand=Lines 200 {"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a","Lines":[{"No":1,"Text":"x"}]}]}
            open Orders?$expand=Lines
            PATCH Orders(1)/Lines(1) {"Text":"b"}
            on PATCH Orders(1)/Lines(1) 204
            POST Orders(1)/S.close {}
            on POST Orders(1)/S.close 428
            then 204
            on GET Orders(1) 200 {"@odata.etag":"\"3\"","ID":1,"Title":"z"}
            upload
              GET Orders(1)/Lines(1)
              GET Orders(1)/Lines(1)
              PATCH Orders(1)/Lines(1) If-Match: * {"Text":"b"}
              POST Orders(1)/S.close {}
              GET Orders(1)
              -> 1 done, 1 refused, 0 waiting, 0 parked, 0 unknown
            queue
              2 failed POST Orders(1)/S.close (428) the service answered 428; the entity that the operation is called on was changed at the service since: download it, then try the request again
            """#
        ),
    ]
}
