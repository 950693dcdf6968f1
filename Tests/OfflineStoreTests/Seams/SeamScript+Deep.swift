extension SeamScript {
    /// Changes that become several requests, and those of streams and links.
    static let deeps = [
        SeamScript(
            "what is created in an entity that is gone keeps it until it is taken back",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Title":"t","Lines":[{"No":1}]} {"Name":"b"}
            merge
            POST Cards('a')/Lines {"No":9}
              -> Cards('a')/Lines(9)
            delta Cards {"@removed":{"reason":"deleted"},"@odata.id":"Cards('a')"}
            merge
            rows Cards
              {Name:a Title:t}
              {Name:b}
            drop 1
            rows Cards
              {Name:b}
            """#
        ),
        SeamScript(
            "a full read says nothing about what its entities leave out",
            #"""
            query Cards Cards?$expand=Lines
            query Memos Memos?$expand=Cover
            full Cards {"Name":"a","Lines":[{"No":1}]} {"Name":"b","Lines":[{"No":2}]}
            full Memos {"ID":1,"Cover":{"No":1}} {"ID":2,"Cover":{"No":2}}
            merge
            full Cards {"Name":"a"} {"Name":"b","Lines":[]}
            full Memos {"ID":1} {"ID":2,"Cover":null}
            merge
            rows Cards('a')/Lines
              {No:1}
            rows Cards('b')/Lines
            rows Memos(1)/Cover
              {No:1}
            rows Memos(2)/Cover
              204
            """#
        ),
        SeamScript(
            "children that are alike are told by what is below them",
            #"""
            query Cards Cards
            POST Cards {"Name":"c","Lines":[{"No":1,"Text":"same"},{"No":2,"Text":"same","Parts":[{"No":1,"Text":"s"}]}]}
              -> Cards('c')
            PATCH Cards('c')/Lines(2) {"Text":"two"}
            DELETE Cards('c')/Lines(1)
            send
              1 POST Cards {"Name":"c","Lines":[{"No":1,"Text":"same"},{"No":2,"Text":"same","Parts":[{"No":1,"Text":"s"}]}]}
            ok 1 {"Name":"c","Lines":[{"No":490,"Text":"same","Parts":[]},{"No":480,"Text":"same","Parts":[{"No":1,"Text":"s"}]}]}
            send
              2 PATCH Cards('c')/Lines(480) If-Match: * {"Text":"two"}
              3 DELETE Cards('c')/Lines(490) If-Match: *
            """#
        ),
        SeamScript(
            "what a refused creation creates inside is corrected in its place",
            #"""
            query Cards Cards
            POST Cards {"Name":"c","Lines":[{"No":1,"Text":"good"},{"No":2,"Text":"bad","Parts":[{"No":1,"Text":"s"}]}]}
              -> Cards('c')
            send
              1 POST Cards {"Name":"c","Lines":[{"No":1,"Text":"good"},{"No":2,"Text":"bad","Parts":[{"No":1,"Text":"s"}]}]}
            fail 1 400
            PATCH Cards('c')/Lines(2) {"Text":"ok"}
            queue
              1 pending POST Cards {"Name":"c","Lines":[{"No":1,"Text":"good"},{"No":2,"Text":"ok","Parts":[{"No":1,"Text":"s"}]}]}
            send
              1 POST Cards {"Name":"c","Lines":[{"No":1,"Text":"good"},{"No":2,"Text":"ok","Parts":[{"No":1,"Text":"s"}]}]}
            fail 1 400
            PATCH Cards('c')/Lines(2)/Parts(1) {"Text":"t"}
            send
              1 POST Cards {"Name":"c","Lines":[{"No":1,"Text":"good"},{"No":2,"Text":"ok","Parts":[{"No":1,"Text":"t"}]}]}
            ok 1
            rows Cards('c')/Lines
              {isLocal No:1 Text:good}
              {isLocal No:2 Text:ok}
            queue
            """#
        ),
        SeamScript(
            "a correction inside of a refused creation goes with it",
            #"""
            query Cards Cards
            POST Cards {"Name":"c","Lines":[{"No":1,"Text":"bad"}]}
              -> Cards('c')
            PATCH Cards('c')/Lines(1) {"Text":"worse"}
            send
              1 POST Cards {"Name":"c","Lines":[{"No":1,"Text":"bad"}]}
            fail 1 400
            PATCH Cards('c')/Lines(1) {"Text":"ok"}
            queue
              1 pending POST Cards {"Name":"c","Lines":[{"No":1,"Text":"ok"}]}
              2 pending PATCH Cards('c')/Lines(1) {"Text":"worse"} after [1]
              3 pending PATCH Cards('c')/Lines(1) {"Text":"ok"} after [2]
            send
              1 POST Cards {"Name":"c","Lines":[{"No":1,"Text":"ok"}]}
            fail 1 400
            drop 1
            rows Cards
            queue
            """#
        ),
        SeamScript(
            "children that cannot be told apart are not guessed",
            #"""
            query Cards Cards
            POST Cards {"Name":"c","Lines":[{"No":1,"Text":"same"},{"No":2,"Text":"same","Parts":[{"No":1,"Text":"s"}]}]}
              -> Cards('c')
            DELETE Cards('c')/Lines(1)
            send
              1 POST Cards {"Name":"c","Lines":[{"No":1,"Text":"same"},{"No":2,"Text":"same","Parts":[{"No":1,"Text":"s"}]}]}
            ok 1 {"Name":"c","Lines":[{"No":490,"Text":"same"},{"No":480,"Text":"same"}]}
            send
            """#
        ),
        SeamScript(
            "what is changed below a contained entity that is gone stays until somebody decides",
            #"""
            query Cards Cards?$expand=Lines($expand=Parts)
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x","Parts":[{"No":1,"Text":"p"},{"No":2,"Text":"q"}]},{"No":2,"Parts":[]}]}
            merge
            PATCH Cards('a')/Lines(1)/Parts(1) {"Text":"mine"}
            delta Cards {"Name":"a","Lines":[]}
            merge
            rows Cards('a')/Lines
              {No:1 Text:x}
            conflicts
              update Cards('a')/Lines(1)/Parts(1) gone
            server Cards('a')/Lines(1)/Parts(1)
            rows Cards('a')/Lines
            queue
            """#
        ),
        SeamScript(
            "streams change after the refused creation of their entity",
            #"""
            query Photos Photos
            POST Photos one
              -> Photos(A)
            send
              1 POST Photos
            fail 1 400
            DELETE Photos(A)/Thumb
            PUT Photos(A)/Thumb two
            queue
              1 failed POST Photos answered 400
              2 parked DELETE Photos(A)/Thumb after [1]
              3 parked PUT Photos(A)/Thumb after [2]
            stream Photos(A)/Thumb
              two
            send
            drop 2
            queue
              1 failed POST Photos answered 400
            stream Photos(A)/Thumb
              204
            """#
        ),
        SeamScript(
            "streams go with their entity",
            #"""
            query Photos Photos
            full Photos {"@odata.mediaEtag":"m1","ID":1} {"ID":2}
            merge
            PUT Photos(1)/$value one
            PUT Photos(2)/Thumb small
            send
              1 PUT Photos(1)/$value If-Match: m1
              2 PUT Photos(2)/Thumb
            ok 1 etag=m2
            ok 2
            PUT Photos(1)/$value two
            full Photos {"ID":2}
            merge
            conflicts
              update Photos(1) gone
            server Photos(1)
            rows Photos
              {ID:2}
            full Photos
            merge
              remark: 1 of 1 entities were removed, since the service did not send them any more
            rows Photos
            """#
        ),
        SeamScript(
            "a media entity below a created parent waits for the parent",
            #"""
            query Memos Memos
            POST Memos {"ID":1,"Text":"m"}
              -> Memos(1)
            POST Memos(1)/Shots one
              -> Memos(1)/Shots(A)
            queue
              1 pending POST Memos {"ID":1,"Text":"m"}
              2 pending POST Memos(1)/Shots after [1]
            rows Memos(1)/Shots
              {isLocal hasPendingChanges}
            send
              1 POST Memos {"ID":1,"Text":"m"}
            ok 1 {"ID":1,"Text":"m"}
            send
              2 POST Memos(1)/Shots
            ok 2 {"ID":3}
            stream Memos(1)/Shots(3)/$value
              one
            POST Memos(1)/Shots two
              -> Memos(1)/Shots(B)
            drop 3
            rows Memos(1)/Shots
              {isLocal ID:3}
            DELETE Memos(1)
            queue
              4 pending DELETE Memos(1)
            """#
        ),
        SeamScript(
            "a stream is posted to media entities only",
            #"""
            POST Tags one
              415 'the body must be application/json'
            POST Memos(1)/Cover one
              405 'POST is not allowed here; allowed: GET, HEAD, OPTIONS, PATCH, PUT, DELETE'
            """#
        ),
        SeamScript(
            "an update creates what a single link leads to, and adds links",
            #"""
            query Items Items
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Items {"ID":1,"OrderID":1}
            full Orders {"ID":1,"Title":"a","Tags":[{"Name":"t"}]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            PATCH Items(1) {"Text":"x","Order":{"Title":"new"}}
            queue
              1 pending PATCH Items(1) {"Text":"x"}
              2 pending POST Orders {"Title":"new"}
              3 pending PUT Items(1)/Order/$ref {"@odata.id":"Orders(A)"} after [1, 2]
            rows Items(1)/Order
              {isLocal hasPendingChanges Title:new}
            PATCH Orders(1) {"Tags@odata.bind":["Tags('u')","Tags('t')"],"Items":[{"Text":"deep"}]}
            queue
              1 pending PATCH Items(1) {"Text":"x"}
              2 pending POST Orders {"Title":"new"}
              3 pending PUT Items(1)/Order/$ref {"@odata.id":"Orders(A)"} after [1, 2]
              4 pending PATCH Orders(1) {"Tags@odata.bind":["Tags('u')","Tags('t')"]}
              5 pending POST Orders(1)/Items {"Text":"deep"}
            rows Orders(1)/Tags
              {Name:t}
              {Name:u}
            rows Orders(1)/Items
              {isLocal hasPendingChanges Text:deep OrderID:1}
            """#
        ),
        SeamScript(
            "an update adds only the links that are not there",
            #"""
            query Orders Orders?$expand=Tags
            query Tags Tags
            full Orders {"ID":1,"Title":"a","Tags":[{"Name":"t"}]}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            PATCH Orders(1) {"Title":"b","Tags":[{"@odata.id":"Tags('t')"},{"@odata.id":"Tags('u')"},{"Name":"v"}]}
            queue
              1 pending PATCH Orders(1) {"Title":"b","Tags@odata.bind":["Tags('u')"]}
              2 pending POST Orders(1)/Tags {"Name":"v"}
            rows Orders(1)/Tags
              {Name:t}
              {Name:u}
              {isLocal hasPendingChanges Name:v}
            """#
        ),
        SeamScript(
            "an update of contained entities creates, changes and deletes them",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x"},{"No":2,"Text":"y"}]}
            merge
            PATCH Cards('a') {"Lines":[{"No":2,"Text":"z"},{"No":3,"Text":"n"}]}
            queue
              1 pending PATCH Cards('a')/Lines(2) {"Text":"z"}
              2 pending POST Cards('a')/Lines {"No":3,"Text":"n"}
              3 pending DELETE Cards('a')/Lines(1)
            rows Cards('a')/Lines
              {isLocal hasPendingChanges No:2 Text:z}
              {isLocal hasPendingChanges No:3 Text:n}
            PATCH Cards('a') {"Lines@delta":[{"@removed":{"reason":"deleted"},"@id":"Cards('a')/Lines(2)"},{"No":4}]}
            queue
              1 pending PATCH Cards('a')/Lines(2) {"Text":"z"}
              2 pending POST Cards('a')/Lines {"No":3,"Text":"n"}
              3 pending DELETE Cards('a')/Lines(1)
              4 pending POST Cards('a')/Lines {"No":4}
              5 pending DELETE Cards('a')/Lines(2) after [1]
            rows Cards('a')/Lines
              {isLocal hasPendingChanges No:3 Text:n}
              {isLocal hasPendingChanges No:4}
            """#
        ),
        SeamScript(
            "an update of a single contained entity is refused",
            #"""
            query Memos Memos
            full Memos {"ID":1,"Text":"m"}
            merge
            PATCH Memos(1) {"Cover":{"No":1,"Text":"c"}}
              501 'Cover contains a single entity: change it by its own URL'
            queue
            """#
        ),
        SeamScript(
            "a link to what the store does not hold is changed at the service alone",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            DELETE Orders(1)/Tags/$ref?$id=Tags('zz')
            queue
              1 pending DELETE Orders(1)/Tags/$ref?$id=Tags('zz')
            send
              1 DELETE Orders(1)/Tags/$ref?$id=http://service/Tags('zz')
            ok 1
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('zz')"}
            queue
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('zz')"}
            rows Orders(1)/Tags
            drop 2
            """#
        ),
        SeamScript(
            "a stream is changed with the ETag that came with its entity",
            #"""
            query Photos Photos
            full Photos {"@odata.etag":"e","@odata.mediaEtag":"m1","Thumb@odata.mediaEtag":"t1","ID":1}
            merge
            PUT Photos(1)/$value one
            PUT Photos(1)/$value two
            PUT Photos(1)/Thumb small
            PUT Photos(1)/Thumb smaller
            send
              1 PUT Photos(1)/$value If-Match: m1
            ok 1
            send
              2 PUT Photos(1)/$value stale
            ok 3
            send
              4 PUT Photos(1)/Thumb stale
            """#
        ),
        SeamScript(
            "a link to what the store does not hold is cleared",
            #"""
            query Items Items
            full Items {"ID":1,"OrderID":99}
            merge
            PATCH Items(1) {"Order":null}
            queue
              1 pending DELETE Items(1)/Order/$ref
            rows Items
              {isLocal hasPendingChanges ID:1}
            """#
        ),
        SeamScript(
            "what the metadata lets nobody change is not changed",
            #"""
            query Stamps Stamps
            full Stamps {"ID":1,"Title":"a"}
            merge
            PUT Stamps(1)/$value one
              405 'entities of Stamps cannot be changed: the service's metadata says so'
            DELETE Stamps(1)/$value
              405 'entities of Stamps cannot be deleted: the service's metadata says so'
            PATCH Stamps(1) {"Title":"b"}
              405 'entities of Stamps cannot be changed: the service's metadata says so'
            DELETE Stamps(1)
              405 'entities of Stamps cannot be deleted: the service's metadata says so'
            POST Stamps one
              405 'entities of Stamps cannot be created: the service's metadata says so'
            POST Stamps {"ID":2}
              405 'entities of Stamps cannot be created: the service's metadata says so'
            queue
            """#
        ),
        SeamScript(
            "an edit of a creation changes its links",
            #"""
            query Tags Tags
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            POST Cards {"Name":"c","Tag@odata.bind":"Tags('t')"}
              -> Cards('c')
            edit 1 {"Name":"c","Tag@odata.bind":"Tags('u')"}
            rows Cards?$expand=Tag
              {isLocal hasPendingChanges Name:c Tag:{Name:u}}
            queue
              1 pending POST Cards {"Name":"c","Tag@odata.bind":"Tags('u')"}
            """#
        ),
        SeamScript(
            "an edit of a creation gives its children another parent",
            #"""
            query Items Items
            full Items {"ID":1} {"ID":2}
            merge
            POST Orders {"Title":"a","Items@odata.bind":["Items(1)"]}
              -> Orders(A)
            edit 1 {"Title":"a","Items@odata.bind":["Items(2)"]}
            rows Orders?$expand=Items
              {isLocal hasPendingChanges Title:a Items:[{isLocal hasPendingChanges ID:2}]}
            rows Items
              {ID:1}
              {isLocal hasPendingChanges ID:2}
            queue
              1 pending POST Orders {"Title":"a","Items@odata.bind":["Items(2)"]}
            """#
        ),
        SeamScript(
            "what the service computes is not sent inside of another entity either",
            #"""
            POST Tags {"Name":"t","Memos":[{"Text":"x","Count":5}]}
              -> Tags('t')
            queue
              1 pending POST Tags {"Name":"t","Memos":[{"Text":"x"}]}
            """#
        ),
        SeamScript(
            "a key that was replaced is replaced in entities inside of others",
            #"""
            POST Boxes {"ID":"00000000-0000-0000-0000-000000000001"}
              -> Boxes(00000000-0000-0000-0000-000000000001)
            POST Tags {"Name":"q","Memos":[{"Text":"x","BoxID":"00000000-0000-0000-0000-000000000001"}]}
              -> Tags('q')
            queue
              1 pending POST Boxes {"ID":"00000000-0000-0000-0000-000000000001"}
              2 pending POST Tags {"Name":"q","Memos":[{"Text":"x","BoxID":"00000000-0000-0000-0000-000000000001"}]} after [1]
            send
              1 POST Boxes {"ID":"00000000-0000-0000-0000-000000000001"}
            ok 1 etag=1 {"ID":"00000000-0000-0000-0000-000000000002"}
            queue
              2 pending POST Tags {"Name":"q","Memos":[{"Text":"x","BoxID":"00000000-0000-0000-0000-000000000002"}]}
            """#
        ),
        SeamScript(
            "one creation and two entities in the answer leave the key open",
            #"""
            POST Tags {"Name":"t","Memos":[{"Text":"x"}]}
              -> Tags('t')
            send
              1 POST Tags {"Name":"t","Memos":[{"Text":"x"}]}
            ok 1 etag=1 {"Name":"t","Memos":[{"ID":7,"Text":"y"},{"ID":8,"Text":"z"}]}
            rows Memos
              {isLocal Text:x Marks:[] TagName:t}
            ids Memos
              Memos(A)
            """#
        ),
    ]
}
