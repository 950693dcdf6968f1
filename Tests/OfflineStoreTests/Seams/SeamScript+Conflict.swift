extension SeamScript {
    /// What comes of changes that met another version.
    static let conflicts = [
        SeamScript(
            "a conflict is merged from two requests",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            merge
            rows Orders
              {etag:1 isLocal hasPendingChanges hasConflict ID:1 Title:b Price:2}
            merge-with Orders(1) {"Title":"m"}
            queue
              2 pending PATCH Orders(1) {"Title":"m","Price":2}
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:m Price:2}
            events
              Conflict: merged; the service's version was: Orders(1) {"ID":1,"Title":"theirs","Price":9}
              Conflict: merged; the local request was: PATCH Orders(1) {"Price":2}
              Conflict: merged; the local request was: PATCH Orders(1) {"Title":"b"}
            send
              2 PATCH Orders(1) If-Match: 2 {"Title":"m","Price":2}
            """#
        ),
        SeamScript(
            "a deletion in conflict is not taken for the creation with its key",
            #"""
            query Tags Tags
            full Tags {"@odata.etag":"1","Name":"t"}
            merge
            tx=x DELETE Tags('t')
            tx=x POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            send
              set 1: 1 DELETE Tags('t') If-Match: 1
              set 1: 2 POST Tags {"Name":"t","Color":"r"}
            fail 1 412
            fail 2 412
            their 1 etag=2 {"Name":"t","Color":"theirs"}
            their 2 etag=2 {"Name":"t","Color":"theirs"}
            conflicts
              deletion Tags('t')
            local Tags('t')
            queue
              1 pending DELETE Tags('t')
              2 pending POST Tags {"Name":"t","Color":"r"} after [1]
            send
              set 1: 1 DELETE Tags('t') If-Match: 2
              set 1: 2 POST Tags {"Name":"t","Color":"r"}
            """#
        ),
        SeamScript(
            "the entity of an archived deletion is the one that was deleted",
            #"""
            query Tags Tags
            full Tags {"@odata.etag":"1","Name":"t"}
            merge
            tx=x DELETE Tags('t')
            tx=x POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            send
              set 1: 1 DELETE Tags('t') If-Match: 1
              set 1: 2 POST Tags {"Name":"t","Color":"r"}
            fail 1 412
            fail 2 412
            their 1 etag=2 {"Name":"t","Color":"theirs"}
            conflict ErrorArchive(1)/AffectedEntity
              base {"Name":"t","Color":null}
              service {"Name":"t","Color":"theirs"}
              changed 
            local ErrorArchive(1)/AffectedEntity
            send
              set 1: 1 DELETE Tags('t') If-Match: 2
              set 1: 2 POST Tags {"Name":"t","Color":"r"}
            """#
        ),
        SeamScript(
            "a merged conflict can be taken back",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            merge
            merge-with Orders(1) {"Title":"m"}
            drop 2
            rows Orders
              {etag:2 ID:1 Title:theirs Price:9}
            queue
            """#
        ),
        SeamScript(
            "requests of two categories are not made one by a merge",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            cat=a PATCH Orders(1) {"Title":"b"}
            cat=b PATCH Orders(1) {"Price":2}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            merge
            merge-with Orders(1) {"Title":"m"}
            queue
              1 pending PATCH Orders(1) {"Title":"m"}
              2 pending PATCH Orders(1) {"Title":"m","Price":2} after [1]
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:m Price:2}
            send a
              1 PATCH Orders(1) If-Match: 2 {"Title":"m"}
            ok 1 etag=3
            send b
              2 PATCH Orders(1) If-Match: 3 {"Title":"m","Price":2}
            """#
        ),
        SeamScript(
            "a merge leaves what waits for the joined requests",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            POST Orders {"ID":5}
              -> Orders(5)
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
              -> Items(A)
            DELETE Orders(1)
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            merge
            queue
              1 pending POST Orders {"ID":5}
              2 pending PATCH Orders(1) {"Title":"b"}
              3 pending PATCH Orders(1) {"Price":2} after [2]
              4 pending POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
              5 pending DELETE Orders(1) after [2, 3, 4]
            drop 5
            merge-with Orders(1) {"Title":"m"}
            queue
              1 pending POST Orders {"ID":5}
              3 pending PATCH Orders(1) {"Title":"m","Price":2}
              4 pending POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
            """#
        ),
        SeamScript(
            "the local side of a conflict goes with the ETag of theirs",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            merge
            local Orders(1)
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:b Price:9}
            events
              Conflict: the local version stays; overwritten: Orders(1) {"ID":1,"Title":"theirs","Price":9}
            send
              1 PATCH Orders(1) If-Match: 2 {"Title":"b"}
            ok 1 etag=3
            rows Orders
              {etag:3 isLocal ID:1 Title:b Price:9}
            """#
        ),
        SeamScript(
            "a deletion over a newer version",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            DELETE Orders(1)
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs"}
            merge
            rows Orders
            send
              1 DELETE Orders(1) If-Match: 1
            fail 1 412
            local Orders(1)
            send
              1 DELETE Orders(1) If-Match: 2
            fail 1 412
            their 1 etag=3 {"ID":1,"Title":"third"}
            server Orders(1)
            rows Orders
              {etag:3 ID:1 Title:third}
            queue
            events
              Conflict: the service's version stays; taken back: DELETE Orders(1) 
              Conflict: the local version stays; overwritten: Orders(1) {"ID":1,"Title":"theirs","Price":null}
            """#
        ),
        SeamScript(
            "what is taken back is their newer version",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            merge
            drop 1
            rows Orders
              {etag:2 ID:1 Title:theirs Price:9}
            PATCH Orders(1) {"Title":"c"}
            send
              2 PATCH Orders(1) If-Match: 2 {"Title":"c"}
            fail 2 400
            discard 2
            rows Orders
              {etag:2 ID:1 Title:theirs Price:9}
            """#
        ),
        SeamScript(
            "an answer over a newer version",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":2}
            merge
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"mine"}
            ok 1 etag=3
            rows Orders
              {etag:3 isLocal ID:1 Title:mine Price:2}
            PATCH Orders(1) {"Price":5}
            send
              2 PATCH Orders(1) If-Match: 3 {"Price":5}
            """#
        ),
        SeamScript(
            "an answer over a newer version, with a later change",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":2}
            merge
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"mine"}
            PATCH Orders(1) {"Price":5}
            ok 1 etag=3
            rows Orders
              {etag:3 isLocal hasPendingChanges hasConflict ID:1 Title:mine Price:5}
            send
              2 PATCH Orders(1) If-Match: 3 {"Price":5}
            """#
        ),
        SeamScript(
            "an answer over a newer version, taken back",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":2}
            merge
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"mine"}
            PATCH Orders(1) {"Price":5}
            ok 1 etag=3
            back 2
            drop 2
            rows Orders
              {etag:3 isLocal ID:1 Title:mine Price:2}
            """#
        ),
        SeamScript(
            "a refused update brings the service's version",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"mine"}
            fail 1 412
            their 1 etag=7 {"ID":1,"Title":"theirs","Price":2}
            rows Orders
              {etag:1 isLocal hasPendingChanges inErrorState hasConflict ID:1 Title:mine Price:1}
            server Orders(1)
            rows Orders
              {etag:7 ID:1 Title:theirs Price:2}
            queue
            """#
        ),
        SeamScript(
            "a refused update of a deleted entity",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            full Tags {"Name":"t"}
            merge
            PATCH Orders(1) {"Title":"mine"}
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            PATCH Orders(1) {"Price":2}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"mine"}
            fail 1 404
            gone 1
            rows Orders
              {etag:1 isLocal hasPendingChanges inErrorState hasConflict ID:1 Title:mine Price:2}
            queue
              1 failed PATCH Orders(1) {"Title":"mine"} answered 404
              2 parked POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"} after [1]
              3 parked PATCH Orders(1) {"Price":2} after [2]
            local Orders(1)
            queue
              1 pending POST Orders {"ID":1,"Title":"mine","Price":2}
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"} after [1]
            send
              1 POST Orders {"ID":1,"Title":"mine","Price":2}
            ok 1 {"@odata.etag":"8","ID":1,"Title":"mine"}
            queue
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            rows Orders
              {etag:8 isLocal hasPendingChanges ID:1 Title:mine Price:2}
            """#
        ),
        SeamScript(
            "an entity that the service deleted goes",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"mine"}
            fail 1 404
            gone 1
            server Orders(1)
            rows Orders
            queue
            events
              Conflict: the service's version stays; taken back: PATCH Orders(1) {"Title":"mine"}
            """#
        ),
        SeamScript(
            "a tombstone and then success",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"mine"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"mine"}
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"Orders(1)"}
            merge
            rows Orders
              {etag:1 isLocal hasPendingChanges hasConflict ID:1 Title:mine Price:1}
            ok 1 etag=2
            rows Orders
              {etag:2 isLocal ID:1 Title:mine Price:1}
            queue
            """#
        ),
        SeamScript(
            "a creation that met theirs is an update of theirs",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            PATCH Tags('t') {"Color":"s"}
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            rows Tags
              {isLocal hasPendingChanges hasConflict Name:t Color:s}
            local Tags('t')
            queue
              1 pending PATCH Tags('t') {"Color":"r"}
              2 pending PATCH Tags('t') {"Color":"s"} after [1]
            rows Tags
              {etag:9 isLocal hasPendingChanges Name:t Color:s}
            send
              1 PATCH Tags('t') If-Match: 9 {"Color":"r"}
            ok 1 etag=10
            drop 2
            rows Tags
              {etag:10 isLocal Name:t Color:r}
            """#
        ),
        SeamScript(
            "a creation that met theirs and was changed is taken back",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            PATCH Tags('t') {"Color":"s"}
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            drop 2
            rows Tags
              {isLocal hasPendingChanges hasConflict Name:t Color:r}
            server Tags('t')
            rows Tags
              {etag:9 Name:t Color:theirs}
            queue
            """#
        ),
        SeamScript(
            "a creation that met an equal entity keeps what it was created with",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            PATCH Tags('t') {"Color":"s"}
            full Tags {"Name":"t","Color":"s"}
            merge
            rows Tags
              {isLocal hasPendingChanges hasConflict Name:t Color:s}
            drop 2
            rows Tags
              {isLocal hasPendingChanges hasConflict Name:t Color:r}
            server Tags('t')
            rows Tags
              {Name:t Color:s}
            """#
        ),
        SeamScript(
            "a request whose outcome is not known may be in conflict",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            unknown 1
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs"}
            merge
            conflicts
              update Orders(1)
            """#
        ),
        SeamScript(
            "a creation that is answered over theirs is the entity",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            send
              1 POST Tags {"Name":"t","Color":"r"}
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            rows Tags
              {isLocal hasPendingChanges hasConflict Name:t Color:r}
            ok 1 etag=1 {"Name":"t","Color":"r"}
            rows Tags
              {etag:1 isLocal Name:t Color:r}
            """#
        ),
        SeamScript(
            "a creation that is answered over theirs is the entity, with a later change",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            send
              1 POST Tags {"Name":"t","Color":"r"}
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            PATCH Tags('t') {"Color":"g"}
            ok 1 etag=1 {"Name":"t","Color":"r"}
            rows Tags
              {etag:1 isLocal hasPendingChanges Name:t Color:g}
            drop 2
            rows Tags
              {etag:1 isLocal Name:t Color:r}
            """#
        ),
        SeamScript(
            "a conflict of two creations that is given up is noted",
            #"""
            query Tags Tags
            full Tags {"Name":"x"}
            merge
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            PATCH Tags('x') {"Color":"b"}
            send
              1 POST Tags {"Name":"t","Color":"r"}
              2 PATCH Tags('x') If-Match: * stale {"Color":"b"}
            fail 1 409
            fail 2 428
            discard 1
            discard 2
            events
              Conflict: the service's version stays; taken back: PATCH Tags('x') {"Color":"b"}
              Conflict: the service's version stays; taken back: POST Tags {"Name":"t","Color":"r"}
            """#
        ),
        SeamScript(
            "a conflict ends where the service has what was made here",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":1}
            merge
            rows Orders
              {etag:1 isLocal hasPendingChanges hasConflict ID:1 Title:b Price:1}
            full Orders {"@odata.etag":"3","ID":1,"Title":"b","Price":1}
            merge
            rows Orders
              {etag:3 isLocal hasPendingChanges ID:1 Title:b Price:1}
            conflicts
            send
              1 PATCH Orders(1) If-Match: 3 {"Title":"b"}
            """#
        ),
        SeamScript(
            "a link of a delta stands in theirs too",
            #"""
            query Orders Orders?$expand=Items
            query Items Items
            full Orders {"ID":1,"Items":[{"@odata.etag":"1","ID":10,"Text":"a","OrderID":1}]} {"ID":2,"Items":[]}
            full Items {"@odata.etag":"1","ID":10,"Text":"a","OrderID":1}
            merge
            PATCH Items(10) {"Text":"b"}
            full Items {"@odata.etag":"2","ID":10,"Text":"theirs","OrderID":1}
            merge
            delta Orders {"@odata.context":"http://service/$metadata#Orders/$link","source":"Orders(2)","relationship":"Items","target":"Items(10)"}
            merge
            conflict Items(10)
              base {"ID":10,"Text":"a","Code":null,"OrderID":2}
              here {"ID":10,"Text":"b","Code":null,"OrderID":2}
              service {"ID":10,"Text":"theirs","Code":null,"OrderID":2}
              changed Text
            server Items(10)
            rows Items
              {etag:2 ID:10 Text:theirs OrderID:2}
            """#
        ),
        SeamScript(
            "theirs that is gone holds nothing created here",
            #"""
            query Tags Tags
            query Orders Orders
            POST Tags {"Name":"t"}
              -> Tags('t')
            PATCH Tags('t') {"Color":"g"}
            full Tags {"Name":"t","Color":"theirs"}
            merge
            delta Tags {"@removed":{"reason":"deleted"},"@odata.id":"Tags('t')"}
            merge
            rows Tags
              {isLocal hasPendingChanges Name:t Color:g}
            drop 2
            send
              1 POST Tags {"Name":"t"}
            ok 1 {"Name":"t"}
            rows Tags
              {isLocal Name:t}
            full Orders
            delta Tags
            merge
            rows Tags
            """#
        ),
        SeamScript(
            "a waiting call is no change of the values that the service has changed",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            POST Orders(1)/S.close {}
            delta Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":2}
            merge
            rows Orders
              {etag:2 ID:1 Title:theirs Price:2}
            conflicts
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            delta Orders {"@odata.etag":"3","ID":1,"Title":"theirs","Price":3}
            merge
            rows Orders
              {etag:3 isLocal hasPendingChanges ID:1 Title:theirs Price:3}
            conflicts
            """#
        ),
        SeamScript(
            "a call that was refused is none either",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/S.close {}
            send
              1 POST Orders(1)/S.close {}
            fail 1 400
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            delta Orders {"@odata.etag":"3","ID":1,"Title":"theirs","Price":3}
            merge
            rows Orders
              {etag:3 isLocal hasPendingChanges ID:1 Title:theirs Price:3}
            conflicts
            """#
        ),
        SeamScript(
            "what is deleted here and changed there is a conflict",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"\"1\"","ID":1,"Title":"a"}
            merge
            DELETE Orders(1)
            full Orders {"@odata.etag":"\"2\"","ID":1,"Title":"b"}
            merge
            conflicts
              deletion Orders(1)
            conflict Orders(1)
              base {"ID":1,"Title":"a","Price":null}
              service {"ID":1,"Title":"b","Price":null}
              changed 
            server Orders(1)
            rows Orders
              {etag:"2" ID:1 Title:b}
            """#
        ),
        SeamScript(
            "what was created inline meets what somebody else has created",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"ID":1,"Items":[{"ID":5,"Text":"mine"}]}
              -> Orders(1)
            full Items {"ID":5,"Text":"theirs"}
            merge
            conflicts
            conflict Items(5)
              here {"ID":5,"Text":"mine","Code":null,"OrderID":1}
              service {"ID":5,"Text":"theirs","Code":null,"OrderID":null}
              changed 
            rows Items
              {isLocal hasPendingChanges hasConflict ID:5 Text:mine OrderID:1}
            undo Orders(1)
            rows Items
              {ID:5 Text:theirs}
            """#
        ),
        SeamScript(
            "what may still take effect is not dropped with what is gone",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            unknown 1
            delta Orders {"@removed":{"reason":"deleted"},"@id":"Orders(1)"}
            merge
            conflicts
              update Orders(1) gone
            DELETE Orders(1)
            queue
              1 unknownOutcome PATCH Orders(1) {"Title":"b"}
              2 pending DELETE Orders(1) after [1]
            """#
        ),
        SeamScript(
            "the content of the service that is written over stands in the event log",
            #"""
            query Photos Photos
            full Photos {"ID":1,"@odata.etag":"1","@odata.mediaEtag":"m1"}
            merge
            PUT Photos(1)/$value mine
            send
              1 PUT Photos(1)/$value If-Match: m1
            fail 1 412
            their-stream 1 etag=m2 theirs
            conflicts
              update Photos(1)
            local Photos(1)
            events
              Conflict: the local version stays; overwritten: Photos(1)/$value, 6 bytes of text/plain, kept with this event: theirs
            send
              1 PUT Photos(1)/$value If-Match: m2
            """#
        ),
        SeamScript(
            "the service's version of a conflict may be of a derived type",
            #"""
            query Memos Memos
            full Memos {"@odata.etag":"1","ID":1,"Text":"a"}
            merge
            PATCH Memos(1) {"Text":"b"}
            send
              1 PATCH Memos(1) If-Match: 1 {"Text":"b"}
            fail 1 412
            their 1 etag=2 {"@odata.type":"#S.LongMemo","ID":1,"Text":"c","More":"m"}
            conflict Memos(1)
              base {"ID":1,"Text":"a","Count":null,"Place":null,"Marks":null,"Grade":null,"TagName":null,"BoxID":null}
              here {"ID":1,"Text":"b","Count":null,"Place":null,"Marks":null,"Grade":null,"TagName":null,"BoxID":null}
              service {"@odata.type":"#S.LongMemo","ID":1,"Text":"c","Place":{},"More":"m"}
              changed Text
            """#
        ),
    ]
}
