extension SeamScript {
    /// The upload plan, the recorder and the queue's editor.
    static let uploads = [
        SeamScript(
            "takes over the ETag of an answer",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            ok 1 etag=2
            queue
            rows Orders
              {etag:2 isLocal ID:1 Title:b}
            PATCH Orders(1) {"Title":"c"}
            send
              2 PATCH Orders(1) If-Match: 2 {"Title":"c"}
            """#
        ),
        SeamScript(
            "reads the ETag where an answer has none",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            ok 1
            PATCH Orders(1) {"Title":"c"}
            send
              2 PATCH Orders(1) If-Match: * stale {"Title":"c"}
            """#
        ),
        SeamScript(
            "a second update waits for the first",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":5}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            send
            ok 1 etag=2
            send
              2 PATCH Orders(1) If-Match: 2 {"Price":5}
            ok 2 etag=3
            queue
            rows Orders
              {etag:3 isLocal ID:1 Title:b Price:5}
            """#
        ),
        SeamScript(
            "children wait for the key of their parent",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a"}
              -> Orders(A)
            POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            queue
              1 pending POST Orders {"Title":"a"}
              2 pending POST Items {"Text":"x","Order@odata.bind":"Orders(A)"} after [1]
            send
              1 POST Orders {"Title":"a"}
            ok 1 etag=5 {"ID":7,"Title":"a"}
            queue
              2 pending POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
            send
              2 POST Items {"Text":"x","Order@odata.bind":"Orders(7)"}
            ok 2 {"ID":70,"Text":"x","OrderID":7}
            rows Items
              {isLocal ID:70 Text:x OrderID:7}
            rows Orders(A)
              {etag:5 isLocal ID:7 Title:a}
            rows Orders(7)/Items
              {isLocal ID:70 Text:x OrderID:7}
            queue
            """#
        ),
        SeamScript(
            "a key is taken from Location",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            PATCH Orders(A) {"Title":"b"}
            send
              1 POST Orders {"Title":"a"}
            ok 1 id=http://service/Orders(8)
            send
              2 PATCH Orders(8) If-Match: * {"Title":"b"}
            ok 2
            rows Orders
              {isLocal ID:8 Title:b}
            """#
        ),
        SeamScript(
            "dependents of a refused request are parked",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a"}
              -> Orders(A)
            POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            POST Items {"Text":"y"}
              -> Items(C)
            send
              1 POST Orders {"Title":"a"}
              3 POST Items {"Text":"y"}
            fail 1 400
            queue
              1 failed POST Orders {"Title":"a"} answered 400
              2 parked POST Items {"Text":"x","Order@odata.bind":"Orders(A)"} after [1]
              3 sending POST Items {"Text":"y"}
            send
            rows Orders
              {isLocal hasPendingChanges inErrorState Title:a}
            retry 1
            queue
              1 pending POST Orders {"Title":"a"}
              2 pending POST Items {"Text":"x","Order@odata.bind":"Orders(A)"} after [1]
              3 sending POST Items {"Text":"y"}
            send
              1 POST Orders {"Title":"a"}
            ok 1 {"ID":1}
            send
              2 POST Items {"Text":"x","Order@odata.bind":"Orders(1)"}
            """#
        ),
        SeamScript(
            "discarding a refused creation takes back its dependents",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a"}
              -> Orders(A)
            POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            send
              1 POST Orders {"Title":"a"}
            fail 1 400
            discard 1
            queue
            rows Orders
            rows Items
            """#
        ),
        SeamScript(
            "a refused update keeps the local value, discarding brings the old one back",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            fail 1 400
            rows Orders
              {etag:1 isLocal hasPendingChanges inErrorState ID:1 Title:b}
            discard 1
            rows Orders
              {etag:1 ID:1 Title:a}
            queue
            """#
        ),
        SeamScript(
            "an edit gives a refused update other values",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b","Price":2}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b","Price":2}
            fail 1 400
            edit 1 {"Title":"c"}
            rows Orders
              {etag:1 isLocal hasPendingChanges ID:1 Title:c Price:1}
            queue
              1 pending PATCH Orders(1) {"Title":"c"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"c"}
            """#
        ),
        SeamScript(
            "an edit below a later change keeps the later change",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Title":"z"}
            edit 1 {"Title":"c","Price":3}
            rows Orders
              {isLocal hasPendingChanges ID:1 Title:z Price:3}
            drop 2
            rows Orders
              {isLocal hasPendingChanges ID:1 Title:c Price:3}
            drop 1
            rows Orders
              {ID:1 Title:a Price:1}
            """#
        ),
        SeamScript(
            "a dropped update leaves the later one",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b","Price":2}
            PATCH Orders(1) {"Price":3}
            drop 1
            queue
            rows Orders
              {ID:1 Title:a Price:1}
            """#
        ),
        SeamScript(
            "undo takes back every change of an entity",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a"}
            full Tags {"Name":"t"}
            merge
            PATCH Orders(1) {"Title":"b"}
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            PATCH Tags('t') {"Color":"c"}
            undo Orders(1)
            queue
              3 pending PATCH Tags('t') {"Color":"c"}
            rows Orders
              {ID:1 Title:a}
            rows Orders(1)/Tags
            rows Tags
              {isLocal hasPendingChanges Name:t Color:c}
            """#
        ),
        SeamScript(
            "an undone deletion brings the entity and its children back",
            #"""
            query Orders Orders?$expand=Tags
            query Items Items
            full Orders {"ID":1,"Title":"a","Tags":[{"Name":"t"}]}
            full Items {"ID":10,"OrderID":1} {"ID":11,"OrderID":2}
            merge
            DELETE Orders(1)
            rows Orders
            rows Items
              {ID:11 OrderID:2}
            queue
              1 pending DELETE Orders(1)
            drop 1
            rows Orders
              {ID:1 Title:a}
            rows Items
              {ID:10 OrderID:1}
              {ID:11 OrderID:2}
            rows Orders(1)/Tags
              {Name:t}
            """#
        ),
        SeamScript(
            "a deletion carried out leaves nothing",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            full Items {"ID":10,"OrderID":1}
            merge
            DELETE Orders(1)
            send
              1 DELETE Orders(1) If-Match: 1
            ok 1
            queue
            rows Orders
            rows Items
            """#
        ),
        SeamScript(
            "a deletion of what was created here waits for the creation",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            DELETE Orders(A)
            queue
              1 pending POST Orders {"Title":"a"}
              2 pending DELETE Orders(A) after [1]
            send
              1 POST Orders {"Title":"a"}
            ok 1 {"ID":4}
            send
              2 DELETE Orders(4) If-Match: *
            ok 2
            rows Orders
            queue
            """#
        ),
        SeamScript(
            "an optimized deletion cancels a waiting creation",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            optimize PATCH Orders(A) {"Title":"b"}
            queue
              1 pending POST Orders {"Title":"b"}
            optimize DELETE Orders(A)
            queue
            rows Orders
            """#
        ),
        SeamScript(
            "an optimized update merges into the waiting one",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            optimize PATCH Orders(1) {"Price":9}
            queue
              1 pending PATCH Orders(1) {"Title":"b","Price":9}
            drop 1
            rows Orders
              {etag:1 ID:1 Title:a Price:1}
            """#
        ),
        SeamScript(
            "an update during the upload is laid over the answer",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            PATCH Orders(1) {"Title":"c"}
            ok 1 etag=2
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:c Price:1}
            queue
              2 pending PATCH Orders(1) {"Title":"c"}
            drop 2
            rows Orders
              {etag:2 isLocal ID:1 Title:b Price:1}
            """#
        ),
        SeamScript(
            "a creation to be removed goes after its upload",
            #"""
            query Orders Orders
            query Items Items
            remove POST Orders {"Title":"a"}
              -> Orders(A)
            POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            send
              1 POST Orders {"Title":"a"}
            ok 1 {"ID":7}
            rows Orders
              {isLocal ID:7 Title:a}
            send
              2 POST Items {"Text":"x","Order@odata.bind":"Orders(7)"}
            ok 2 {"ID":70,"OrderID":7}
            rows Orders
            rows Orders(A)
              404
            rows Items
              {isLocal ID:70 Text:x OrderID:7}
            """#
        ),
        SeamScript(
            "a creation to be removed stays while a request on it is refused",
            #"""
            query Orders Orders
            remove POST Orders {"Title":"a"}
              -> Orders(A)
            PATCH Orders(A) {"Price":2}
            send
              1 POST Orders {"Title":"a"}
            ok 1 {"ID":7}
            send
              2 PATCH Orders(7) If-Match: * {"Price":2}
            fail 2 400
            rows Orders
              {isLocal hasPendingChanges inErrorState ID:7 Title:a Price:2}
            discard 2
            rows Orders
              {isLocal ID:7 Title:a}
            """#
        ),
        SeamScript(
            "a transaction goes as one change set with references",
            #"""
            query Orders Orders
            query Items Items
            tx=t POST Orders {"Title":"a"}
              -> Orders(A)
            tx=t POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            POST Items {"Text":"y"}
              -> Items(C)
            queue
              1 pending POST Orders {"Title":"a"}
              2 pending POST Items {"Text":"x","Order@odata.bind":"Orders(A)"} after [1]
              3 pending POST Items {"Text":"y"}
            send
              set 1: 1 POST Orders {"Title":"a"}
              set 1: 2 POST $1/Items {"Text":"x"}
              3 POST Items {"Text":"y"}
            """#
        ),
        SeamScript(
            "a link that was added and refused goes when it is discarded",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            rows Orders(1)/Tags
              {Name:t}
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('t')"}
            fail 1 400
            rows Orders(1)/Tags
              {Name:t}
            discard 1
            rows Orders(1)/Tags
            """#
        ),
        SeamScript(
            "a single-valued link replaces the former one",
            #"""
            query Orders Orders?$expand=Main
            query Tags Tags
            full Orders {"ID":1,"Main":{"Name":"t"}}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            PUT Orders(1)/Main/$ref {"@odata.id":"Tags('u')"}
            rows Orders(1)/Main
              {Name:u}
            drop 1
            rows Orders(1)/Main
              {Name:t}
            DELETE Orders(1)/Main/$ref
            rows Orders(1)/Main
              204
            send
              2 DELETE Orders(1)/Main/$ref
            ok 2
            rows Orders(1)/Main
              204
            queue
            """#
        ),
        SeamScript(
            "a child that went with its deleted parent and comes back is read with what is below it",
            #"""
            query Orders Orders?$expand=Items($expand=Marks)
            query Items Items?$expand=Marks
            full Orders {"ID":1}
            full Items {"ID":5,"OrderID":1,"Marks":[{"No":1}]}
            merge
            DELETE Orders(1)
            send
              1 DELETE Orders(1) If-Match: * stale
            ok 1
            delta Items {"ID":5,"OrderID":2}
            merge
            rows Items?$expand=Marks
              {ID:5 OrderID:2 Marks:[]}
            tasks
              Orders delta
              Items full
            """#
        ),
        SeamScript(
            "a stream whose ETag is not known is sent without one",
            #"""
            query Photos Photos
            full Photos {"ID":1,"Title":"t"}
            merge
            PUT Photos(1)/$value one
            send
              1 PUT Photos(1)/$value
            ok 1 etag="m1"
            PUT Photos(1)/$value two
            send
              2 PUT Photos(1)/$value If-Match: "m1"
            ok 2
            PUT Photos(1)/$value three
            send
              3 PUT Photos(1)/$value stale
            DELETE Photos(1)/Thumb
            send
            """#
        ),
        SeamScript(
            "a change waits for the deletion of the entity whose key it holds",
            #"""
            query Notes Notes
            query Clips Clips
            full Notes {"Day":1,"No":1} {"Day":1,"No":2}
            full Clips {"ID":5,"NoteDay":1,"NoteNo":1} {"ID":6,"NoteDay":1,"NoteNo":2}
            merge
            DELETE Notes(Day=1,No=1)
            PATCH Clips(5) {"Text":"x"}
            PATCH Clips(6) {"Text":"y"}
            queue
              1 pending DELETE Notes(Day=1,No=1)
              2 pending PATCH Clips(5) {"Text":"x"}
              3 pending PATCH Clips(6) {"Text":"y"}
            send
              1 DELETE Notes(Day=1,No=1) If-Match: * stale
              3 PATCH Clips(6) If-Match: * stale {"Text":"y"}
            ok 1
            send
              2 PATCH Clips(5) If-Match: * stale {"Text":"x"}
            """#
        ),
        SeamScript(
            "an update goes behind what stands below it where it names that",
            #"""
            query Cards Cards?$expand=Lines
            query Tags Tags
            full Cards {"Name":"a","Lines":[{"No":1}]}
            full Tags {"Name":"n"}
            merge
            tx=t POST Cards('a')/Lines {"No":2}
              -> Cards('a')/Lines(2)
            tx=t template=X:{Cards('a')/Lines(2)/No} PATCH Cards('a') {"Title":"t"}
            tx=t PATCH Tags('n') {"Color":"c"}
            queue
              1 pending POST Cards('a')/Lines {"No":2}
              2 pending PATCH Cards('a') {"Title":"t"} after [1] [ X: {Cards('a')/Lines(2)/No}]
              3 pending PATCH Tags('n') {"Color":"c"}
            send
              set 1: 1 POST Cards('a')/Lines {"No":2}
              set 1: 2 PATCH Cards('a') If-Match: * stale {"Title":"t"} X: 2
              set 1: 3 PATCH Tags('n') If-Match: * stale {"Color":"c"}
            """#
        ),
        SeamScript(
            "the ETag of a created entity is to be read where the last of many entities have one",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2} {"ID":3} {"ID":4} {"ID":5} {"ID":6} {"ID":7} {"ID":8} {"ID":9} {"ID":10} {"ID":11} {"ID":12} {"ID":13} {"ID":14} {"ID":15} {"ID":16} {"ID":17} {"ID":18} {"ID":19} {"ID":20} {"ID":21} {"ID":22} {"ID":23} {"ID":24} {"ID":25} {"ID":26} {"ID":27} {"ID":28} {"ID":29} {"ID":30} {"ID":31} {"ID":32} {"ID":33} {"@odata.etag":"\"e\"","ID":34}
            merge
            POST Orders {"ID":103,"Title":"a"}
              -> Orders(103)
            send
              1 POST Orders {"ID":103,"Title":"a"}
            ok 1 {"ID":103,"Title":"a"}
            PATCH Orders(103) {"Title":"b"}
            send
              2 PATCH Orders(103) If-Match: * stale {"Title":"b"}
            rows Orders(103)
              {isLocal hasPendingChanges ID:103 Title:b}
            """#
        ),
        SeamScript(
            "the ETag of a created entity is sent for where no entity has one",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2} {"ID":3} {"ID":4} {"ID":5} {"ID":6} {"ID":7} {"ID":8} {"ID":9} {"ID":10} {"ID":11} {"ID":12} {"ID":13} {"ID":14} {"ID":15} {"ID":16} {"ID":17} {"ID":18} {"ID":19} {"ID":20} {"ID":21} {"ID":22} {"ID":23} {"ID":24} {"ID":25} {"ID":26} {"ID":27} {"ID":28} {"ID":29} {"ID":30} {"ID":31} {"ID":32} {"ID":33}
            merge
            POST Orders {"ID":103,"Title":"a"}
              -> Orders(103)
            send
              1 POST Orders {"ID":103,"Title":"a"}
            ok 1 {"ID":103,"Title":"a"}
            PATCH Orders(103) {"Title":"b"}
            send
              2 PATCH Orders(103) If-Match: * {"Title":"b"}
            """#
        ),
    ]
}
