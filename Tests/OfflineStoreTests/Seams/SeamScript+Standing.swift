extension SeamScript {
    /// How the versions of an entity stand to each other, and what is told of it.
    static let standings = [
        SeamScript(
            "what is deleted on both sides goes with its changes",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"} {"ID":2}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            fail 1 404
            gone 1
            DELETE Orders(1)
            rows Orders
              {ID:2}
            queue
            conflicts
            events
              Conflict: the service's version stays; taken back: PATCH Orders(1) {"Price":2}
              Conflict: the service's version stays; taken back: PATCH Orders(1) {"Title":"b"}
            """#
        ),
        SeamScript(
            "what is deleted on both sides goes with the changes of what it contains, and with no others",
            #"""
            query Cards Cards?$expand=Lines($expand=Parts)
            query Items Items
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x","Parts":[{"No":1}]},{"No":2}]} {"Name":"b"}
            full Items {"ID":5}
            merge
            PATCH Cards('a') {"Item@odata.bind":"Items(5)"}
            PATCH Cards('a')/Lines(1) {"Text":"y"}
            POST Cards('a')/Lines(1)/Parts {"No":2}
              -> Cards('a')/Lines(1)/Parts(2)
            DELETE Cards('a')/Lines(2)
            tx=t PATCH Cards('a') {"Title":"z"}
            tx=t PATCH Items(5) {"Text":"i"}
            delta Cards {"@removed":{"reason":"deleted"},"@odata.id":"Cards('a')"}
            merge
            conflicts
              update Cards('a') gone
            DELETE Cards('a')
            rows Cards
              {Name:b}
            queue
              6 pending PATCH Items(5) {"Text":"i"}
            """#
        ),
        SeamScript(
            "the creation that names what is deleted on both sides stays",
            #"""
            query Items Items
            full Items {"@odata.etag":"1","ID":5,"Text":"x"}
            merge
            PATCH Items(5) {"Text":"y"}
            POST Orders {"Title":"n","Items@odata.bind":["Items(5)"]}
              -> Orders(A)
            send
              1 PATCH Items(5) If-Match: 1 {"Text":"y"}
            fail 1 404
            gone 1
            DELETE Items(5)
            rows Items
            queue
              2 pending POST Orders {"Title":"n","Items@odata.bind":["Items(5)"]}
            """#
        ),
        SeamScript(
            "what has only not come is deleted at the service",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders
            merge
            absent
              Orders(1)
            DELETE Orders(1)
            absent
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending DELETE Orders(1) after [1]
            drop 2
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            fail 1 404
            gone 1
            DELETE Orders(1)
            rows Orders
            queue
            """#
        ),
        SeamScript(
            "what had not come is known to be deleted after a refusal",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders
            merge
            absent
              Orders(1)
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            fail 1 404
            gone 1
            absent
            DELETE Orders(1)
            rows Orders
            queue
            """#
        ),
        SeamScript(
            "an entity of another type, or without a value that is written, is another version",
            #"""
            query Memos Memos
            full Memos {"@odata.type":"#S.LongMemo","@odata.etag":"1","ID":1,"Text":"m","More":"x","Marks":[]} {"ID":2,"Text":"m"}
            merge
            PATCH Memos(1) {"@odata.type":"#S.LongMemo","More":"y"}
            standing 1 {"@odata.type":"#S.LongMemo","ID":1,"Text":"m","More":"x"}
              base
            standing 1 {"@odata.context":"http://service/$metadata#Memos/S.LongMemo/$entity","ID":1,"Text":"m","More":"x"}
              base
            standing 1 {"@odata.type":"#S.LongMemo","ID":1,"Text":"m"}
              other
            standing 1 {"ID":1,"Text":"m"}
              other
            standing 1 {"@odata.type":"#S.LongMemo","ID":1,"Text":"m","More":"y"}
              asSent
            PATCH Memos(1) {"Grade":"g"}
            PATCH Memos(1) {"Text":"n","Marks":["a"]}
            standing 1 {"@odata.type":"#S.LongMemo","ID":1,"More":"y"}
              other
            standing 2 {"@odata.type":"#S.LongMemo","ID":1,"Text":"m","More":"x"}
              base
            standing 3 {"@odata.type":"#S.LongMemo","ID":1,"Text":"m","More":"x"}
              base
            standing 3 {"@odata.type":"#S.LongMemo","ID":1,"More":"x"}
              other
            DELETE Memos(2)
            standing 4 {"ID":2,"Text":"m"}
              base
            standing 4 {"@odata.type":"#S.LongMemo","ID":2,"Text":"m","More":null}
              other
            """#
        ),
        SeamScript(
            "no change is insisted on for an entity of another type",
            #"""
            query Memos Memos
            full Memos {"@odata.type":"#S.LongMemo","@odata.etag":"1","ID":1,"Text":"m","More":"x"}
            merge
            PATCH Memos(1) {"@odata.type":"#S.LongMemo","More":"y"}
            send
              1 PATCH Memos(1) If-Match: 1 {"@odata.type":"#S.LongMemo","More":"y"}
            fail 1 412
            their 1 etag=2 {"ID":1,"Text":"theirs"}
            local Memos(1)
              error: the service's entity is of another type, which no change can give it: let the service's side stand, or delete the entity and create it anew
            server Memos(1)
            rows Memos
              {etag:2 ID:1 Text:theirs}
            queue
            """#
        ),
        SeamScript(
            "the service has what a change was made on, what it makes, or another version",
            #"""
            query Memos Memos
            query Notes Notes
            full Memos {"@odata.etag":"1","ID":1,"Text":"m","Count":1,"Marks":["a"]}
            full Notes {"Day":1,"No":1,"Text":"n","At":"2026-01-01T10:00:00.50Z"}
            merge
            PATCH Memos(1) {"Text":"n"}
            standing 1 {"ID":1,"Text":"m","Count":7,"Marks":[ "a" ]}
              base
            standing 1 {"ID":1,"Text":"n","Count":7,"Marks":["a"]}
              asSent
            standing 1 {"ID":1,"Text":"m","Count":7,"Marks":["b"]}
              other
            standing 1 {"ID":1,"Text":"x"}
              other
            PATCH Notes(Day=1,No=1) {"Text":"m"}
            standing 2 {"Day":1,"No":1,"Text":"n","At":"2026-01-01T11:00:00.5000000+01:00"}
              base
            standing 2 {"Day":1,"No":1,"Text":"n","At":"2026-01-01T10:00:00.51Z"}
              other
            """#
        ),
        SeamScript(
            "what a call may have changed stands against replacements only",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            POST Orders(1)/S.close {}
            send
              1 POST Orders(1)/S.close {}
            ok 1
            PATCH Orders(1) {"Title":"b"}
            standing 2 {"ID":1,"Title":"a","Price":9}
              base
            standing 2 {"ID":1,"Title":"z","Price":9}
              other
            PUT Orders(1) {"Title":"b","Price":2}
            standing 3 {"ID":1,"Title":"a","Price":9}
              other
            """#
        ),
        SeamScript(
            "what the service gave a created entity stands against changes of it only",
            #"""
            query Notes Notes
            POST Notes {"Day":1,"No":2}
              -> Notes(Day=1,No=2)
            send
              1 POST Notes {"Day":1,"No":2}
            ok 1 {"Day":1,"No":2}
            PATCH Notes(Day=1,No=2) {"Text":"m"}
            standing 2 {"Day":1,"No":2,"At":"2026-01-01T10:00:00Z"}
              base
            standing 2 {"Day":1,"No":2,"Text":"theirs"}
              other
            """#
        ),
        SeamScript(
            "what a full read did not bring is asked for",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1} {"ID":2,"Title":"a"} {"@odata.etag":"1","ID":3,"Title":"a","Price":1} {"@odata.etag":"1","ID":4,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(2) {"Title":"b"}
            PATCH Orders(3) {"Title":"b"}
            DELETE Orders(4)
            full Orders
            merge
            absent
              Orders(1)
              Orders(2)
              Orders(3)
              Orders(4)
            rows Orders
              {etag:1 isLocal hasPendingChanges hasConflict ID:1 Title:b Price:1}
              {isLocal hasPendingChanges hasConflict ID:2 Title:b}
              {etag:1 isLocal hasPendingChanges hasConflict ID:3 Title:b Price:1}
            absent-gone Orders(2)
            absent-found Orders(1) etag=2 {"ID":1,"Title":"a","Price":1}
            absent-found Orders(3) etag=2 {"ID":3,"Title":"a","Price":5}
            absent-found Orders(4) etag=2 {"ID":4,"Title":"a","Price":1}
            absent
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:b Price:1}
              {isLocal hasPendingChanges hasConflict ID:2 Title:b}
              {etag:1 isLocal hasPendingChanges hasConflict ID:3 Title:b Price:1}
            conflicts
              update Orders(2) gone
              update Orders(3)
            send
              1 PATCH Orders(1) If-Match: 2 {"Title":"b"}
              2 PATCH Orders(2) If-Match: * stale {"Title":"b"}
              3 PATCH Orders(3) If-Match: 1 {"Title":"b"}
              4 DELETE Orders(4) If-Match: 2
            """#
        ),
        SeamScript(
            "what a full read did not bring may be another version without an ETag",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a","Price":1} {"ID":2,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(2) {"Title":"b"}
            full Orders
            merge
            absent-found Orders(1) {"ID":1,"Title":"z","Price":1}
            absent-found Orders(2) {"ID":2,"Title":"a","Price":7}
            conflicts
              update Orders(1)
              update Orders(2)
            rows Orders
              {isLocal hasPendingChanges hasConflict ID:1 Title:b Price:1}
              {isLocal hasPendingChanges hasConflict ID:2 Title:b Price:1}
            """#
        ),
        SeamScript(
            "the versions of a conflict",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            PATCH Tags('t') {"Color":"s"}
            conflicts
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            full Tags {"Name":"t","Color":"theirs"}
            merge
            conflict Orders(1)
              base {"ID":1,"Title":"a","Price":1}
              here {"ID":1,"Title":"b","Price":1}
              service {"ID":1,"Title":"theirs","Price":9}
              changed Title
            conflict Tags('t')
              here {"Name":"t","Color":"s"}
              service {"Name":"t","Color":"theirs"}
              changed 
            conflicts
              update Orders(1)
              creation Tags('t')
            DELETE Orders(1)
            conflict Orders(1)
              base {"ID":1,"Title":"a","Price":1}
              service {"ID":1,"Title":"theirs","Price":9}
              changed 
            conflicts
              deletion Orders(1)
              creation Tags('t')
            """#
        ),
        SeamScript(
            "the versions of an open entity",
            #"""
            query Cards Cards
            full Cards {"@odata.etag":"1","Name":"a","Title":"x","Extra":1,"More":"y"}
            merge
            PATCH Cards('a') {"Extra":2}
            full Cards
            merge
            conflict Cards('a')
              base {"Name":"a","Title":"x","Extra":1,"More":"y"}
              here {"Name":"a","Title":"x","Extra":2,"More":"y"}
              changed Extra
            conflicts
              update Cards('a') gone
            """#
        ),
        SeamScript(
            "a request stands in one list alone",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            undo ErrorArchive(1)/AffectedEntity
              error: the URL addresses no entity: ErrorArchive(1)/AffectedEntity
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            fail 1 400
            undo RequestQueue(1)/AffectedEntity
              error: the URL addresses no entity: RequestQueue(1)/AffectedEntity
            queue
              1 failed PATCH Orders(1) {"Title":"b"} answered 400
            undo ErrorArchive(1)/AffectedEntity
            queue
            rows Orders
              {ID:1 Title:a}
            """#
        ),
        SeamScript(
            "the event of a conflict keeps the stream",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e","@odata.mediaEtag":"m1","ID":1}
            merge
            header=X-Why:me PUT Photos(1)/$value one
            send
              1 PUT Photos(1)/$value If-Match: m1 X-Why: me
            fail 1 412
            their-stream 1 etag=m5 theirs
            server Photos(1)
            events
              Conflict: the service's version stays; taken back: PUT Photos(1)/$value 3 bytes of text/plain, kept with this event; X-Why: me: one
            stream Photos(1)/$value
              theirs
            """#
        ),
        SeamScript(
            "requests with other header fields are not made one by a merge",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            header=X:1 PATCH Orders(1) {"Title":"b"}
            header=X:2 PATCH Orders(1) {"Price":2}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            merge
            merge-with Orders(1) {"Title":"m"}
            queue
              1 pending PATCH Orders(1) {"Title":"m"} [X: 1]
              2 pending PATCH Orders(1) {"Title":"m","Price":2} after [1] [X: 2]
            events
              Conflict: merged; the service's version was: Orders(1) {"ID":1,"Title":"theirs","Price":9}
              Conflict: merged; the local request was: PATCH Orders(1) {"Price":2}; X: 2
              Conflict: merged; the local request was: PATCH Orders(1) {"Title":"b"}; X: 1
            """#
        ),
        SeamScript(
            "a merge makes a replacement of an update and a replacement",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            PUT Orders(1) {"Price":2}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9}
            merge
            merge-with Orders(1) {"Title":"m"}
            queue
              2 pending PUT Orders(1) {"Title":"m","Price":2}
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:m Price:2}
            merge-with Orders(1) {"Title":"n"}
              error: the store knows no newer version of Orders(1), so there is nothing to decide between: a download brings the version that the service has; a refused request can be tried again, edited or discarded
            """#
        ),
        SeamScript(
            "a merge takes an entity that is here",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1} {"@odata.etag":"1","ID":2,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            DELETE Orders(2)
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs","Price":9} {"@odata.etag":"2","ID":2,"Title":"z"}
            merge
            merge-with Orders(1) []
              error: expected a JSON object, found an array (line 1, column 1, byte 0)
            merge-with Orders(2) {"Title":"m"}
              error: the entity is deleted here, so that nothing can be merged: `local` deletes it at the service too, `server` brings it back
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending DELETE Orders(2)
            rows Orders
              {etag:1 isLocal hasPendingChanges hasConflict ID:1 Title:b Price:1}
            """#
        ),
        SeamScript(
            "a key that the service tells in part",
            #"""
            query Notes Notes
            POST Notes {"Day":1,"No":2,"Text":"n"}
              -> Notes(Day=1,No=2)
            PATCH Notes(Day=1,No=2) {"Text":"m"}
            send
              1 POST Notes {"Day":1,"No":2,"Text":"n"}
            ok 1 {"Day":5,"Text":"n"}
            queue
              2 pending PATCH Notes(Day=5,No=2) {"Text":"m"}
            ids Notes
              Notes(Day=5,No=2)
            send
            full Notes {"Day":5,"No":9,"Text":"n"}
            merge
            rows Notes
              {isLocal hasPendingChanges Day:5 No:9 Text:m}
            send
              2 PATCH Notes(Day=5,No=9) If-Match: * stale {"Text":"m"}
            """#
        ),
        SeamScript(
            "a stream whose change wants an ETag is a conflict",
            #"""
            query Photos Photos
            full Photos {"ID":1}
            merge
            PUT Photos(1)/$value one
            send
              1 PUT Photos(1)/$value
            fail 1 428
            their-stream 1 etag=m5 theirs
            rows Photos
              {isLocal hasPendingChanges inErrorState hasConflict ID:1}
            conflicts
              update Photos(1)
            local Photos(1)
            send
              1 PUT Photos(1)/$value If-Match: m5
            ok 1 etag=m6
            stream Photos(1)/$value
              one
            """#
        ),
        SeamScript(
            "what a call may have changed stands against what the other waiting changes write",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            POST Orders(1)/S.close {}
            send
              1 POST Orders(1)/S.close {}
            ok 1
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            standing 2 {"ID":1,"Title":"a","Price":9}
              other
            standing 2 {"ID":1,"Title":"a","Price":1}
              base
            """#
        ),
        SeamScript(
            "what others have changed stands against a later replacement",
            #"""
            query Items Items
            full Items {"@odata.etag":"1","ID":1,"Text":"a","Code":"x"}
            merge
            PATCH Items(1) {"Text":"b"}
            PUT Items(1) {"Text":"c","Code":"x"}
            standing 1 {"ID":1,"Text":"b","Code":"y"}
              other
            standing 1 {"ID":1,"Text":"b","Code":"x","OrderID":5}
              other
            """#
        ),
        SeamScript(
            "a null of an open entity is no property",
            #"""
            query Cards Cards
            full Cards {"@odata.etag":"1","Name":"a","Title":"x"} {"@odata.etag":"1","Name":"b","Title":"x","Extra":null}
            merge
            PATCH Cards('a') {"Title":"y"}
            PATCH Cards('b') {"Title":"y"}
            standing 1 {"Name":"a","Title":"x","Extra":null}
              base
            standing 2 {"Name":"b","Title":"x"}
              base
            standing 1 {"Name":"a","Title":"x","Extra":1}
              other
            """#
        ),
        SeamScript(
            "a value that another change writes and that is not shown any more has changed",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            standing 1 {"ID":1,"Title":"b"}
              other
            standing 1 {"ID":1,"Title":"b","Price":1}
              asSent
            standing 1 {"ID":1,"Title":"b","Price":3}
              other
            standing 2 {"ID":1,"Title":"b","Price":1}
              other
            """#
        ),
        SeamScript(
            "a version without a dynamic property is another one",
            #"""
            query Cards Cards
            full Cards {"@odata.etag":"1","Name":"a","Title":"t","Extra":1,"More":2}
            merge
            PATCH Cards('a') {"Title":"b"}
            send
              1 PATCH Cards('a') If-Match: 1 {"Title":"b"}
            standing 1 {"Name":"a","Title":"t","Extra":1,"More":2}
              base
            standing 1 {"Name":"a","Title":"t","Extra":1}
              other
            standing 1 {"Name":"a","Title":"t"}
              other
            standing 1 {"Name":"a","Title":"t","Extra":1,"More":3}
              other
            """#
        ),
        SeamScript(
            "a value that was not known need not come",
            #"""
            query Orders Orders?$select=ID,Title
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Price":2}
            send
              1 PATCH Orders(1) If-Match: 1 {"Price":2}
            standing 1 {"ID":1,"Title":"a"}
              base
            standing 1 {"ID":1,"Title":"a","Price":3}
              other
            standing 1 {"ID":1,"Title":"x"}
              other
            """#
        ),
        SeamScript(
            "an entity that another creates is not done by itself",
            #"""
            query Orders Orders?$expand=Items
            query Items Items
            POST Orders {"ID":1,"Items":[{"ID":5,"Text":"x"}]}
              -> Orders(1)
            PATCH Items(5) {"Text":"y"}
            queue
              1 pending POST Orders {"ID":1,"Items":[{"ID":5,"Text":"x"}]}
              2 pending PATCH Items(5) {"Text":"y"} after [1]
            done Items(5)
              [2]
            queue
              1 pending POST Orders {"ID":1,"Items":[{"ID":5,"Text":"x"}]}
            """#
        ),
    ]
}
