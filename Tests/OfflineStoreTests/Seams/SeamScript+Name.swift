extension SeamScript {
    /// What stands for an entity that gets another key, and what follows it.
    static let names = [
        SeamScript(
            "an entity with an id of another form is changed where its edit link leads",
            #"""
            query Orders Orders
            query Tags Tags
            full Tags {"Name":"t"}
            merge
            POST Orders {"Title":"a"}
              -> Orders(A)
            send
              1 POST Orders {"Title":"a"}
            ok 1 {"@odata.id":"http://service/Order-7","@odata.editLink":"Orders(7)","ID":7,"Title":"a"}
            PATCH Orders(7) {"Price":2}
            POST Orders(7)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              2 PATCH Orders(7) If-Match: * {"Price":2}
            """#
        ),
        SeamScript(
            "an entity is named by its id and changed by its edit link",
            #"""
            query Tags Tags
            query Orders Orders
            full Tags {"@odata.id":"http://service/tag-1","@odata.editLink":"http://service/edit-1","Name":"t"}
            full Orders {"ID":1}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            PATCH Orders(1) {"Main@odata.bind":"Tags('t')"}
            PATCH Tags('t') {"Color":"r"}
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/tag-1"}
              3 PATCH edit-1 If-Match: * stale {"Color":"r"}
            """#
        ),
        SeamScript(
            "the copy of a changed child follows the key of its parent",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Items {"ID":61,"Text":"x","OrderID":5}
              -> Items(61)
            PATCH Items(61) {"Text":"y"}
            send
              1 POST Orders {"ID":5,"Title":"a"}
            ok 1 {"ID":50,"Title":"a"}
            rows Items
              {isLocal hasPendingChanges ID:61 Text:y OrderID:50}
            drop 3
            rows Items
              {isLocal hasPendingChanges ID:61 Text:x OrderID:50}
            """#
        ),
        SeamScript(
            "a request below a local id follows a replaced key",
            #"""
            query Memos Memos
            POST Memos {"Text":"a"}
              -> Memos(A)
            POST Memos(A)/Shots {"ID":3,"Title":"x"}
              -> Memos(A)/Shots(3)
            PATCH Memos(A)/Shots(3) {"Title":"y"}
            send
              1 POST Memos {"Text":"a"}
            ok 1 {"ID":7,"Text":"a"}
            send
              2 POST Memos(7)/Shots {"ID":3,"Title":"x"}
            ok 2 {"ID":4,"Title":"x"}
            queue
              3 pending PATCH Memos(7)/Shots(4) {"Title":"y"}
            send
              3 PATCH Memos(7)/Shots(4) If-Match: * {"Title":"y"}
            """#
        ),
        SeamScript(
            "a reference behind a link follows its key",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1}
            full Tags {"Name":"x"}
            merge
            POST Tags {"Name":"t"}
              -> Tags('t')
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST Tags {"Name":"t"}
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            queue
              1 sending POST Tags {"Name":"t"}
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"} after [1]
              3 pending DELETE Orders(1)/Tags/$ref?$id=Tags('t') after [1, 2]
            ok 1 {"Name":"T1"}
            queue
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('T1')"}
              3 pending DELETE Orders(1)/Tags/$ref?$id=Tags('T1') after [2]
            send
              2 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('T1')"}
            """#
        ),
        SeamScript(
            "theirs is an entity that is here under its key already",
            #"""
            query Tags Tags
            POST Tags {"Name":"a","Color":"1"}
              -> Tags('a')
            POST Tags {"Name":"b","Color":"2"}
              -> Tags('b')
            full Tags {"Name":"a","Color":"theirs"}
            merge
            send
              1 POST Tags {"Name":"a","Color":"1"}
              2 POST Tags {"Name":"b","Color":"2"}
            ok 2 {"Name":"a","Color":"2"}
            rows Tags
              {isLocal Name:a Color:2}
              {isLocal hasPendingChanges hasConflict Color:1}
            ok 1 {"Name":"c","Color":"1"}
            rows Tags
              {isLocal Name:a Color:2}
              {isLocal Name:c Color:1}
            """#
        ),
        SeamScript(
            "an id of the service with a colon in its key",
            #"""
            query Tags Tags
            query Orders Orders
            full Orders {"ID":1}
            full Tags {"@odata.id":"http://service/Others('a:b')","Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Others('a:b')"}
            """#
        ),
        SeamScript(
            "the affected entity of a request follows its key",
            #"""
            query Memos Memos
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            rows RequestQueue?$select=AffectedEntity
              {RequestID:1 AffectedEntity:Tags('t')}
            edit 1 {"Name":"u","Color":"r"}
            rows RequestQueue?$select=AffectedEntity
              {RequestID:1 AffectedEntity:Tags('u')}
            POST Memos {"Text":"a"}
              -> Memos(A)
            POST Memos(B)/Shots {"ID":3,"Title":"x"}
              404 'S.Memo has no B, at offset 6'
            rows RequestQueue?$select=AffectedEntity
              {RequestID:1 AffectedEntity:Tags('u')}
              {RequestID:2 AffectedEntity:Memos(A)}
            send
              1 POST Tags {"Name":"u","Color":"r"}
              2 POST Memos {"Text":"a"}
            ok 2 {"ID":7,"Text":"a"}
            rows RequestQueue?$select=AffectedEntity
              {RequestID:1 AffectedEntity:Tags('u')}
            fail 1 400
            rows ErrorArchive?$select=AffectedEntity
              {RequestID:1 AffectedEntity:Tags('u')}
            """#
        ),
        SeamScript(
            "what is contained at two levels follows each key",
            #"""
            query Cards Cards
            POST Cards {"Name":"c"}
              -> Cards('c')
            POST Cards('c')/Lines {"No":1}
              -> Cards('c')/Lines(1)
            POST Cards('c')/Lines(1)/Parts {"No":2}
              -> Cards('c')/Lines(1)/Parts(2)
            PATCH Cards('c')/Lines(1)/Parts(2) {"Text":"p"}
            DELETE Cards('c')/Lines(1)
            send
              1 POST Cards {"Name":"c"}
            ok 1 {"Name":"d"}
            queue
              2 pending POST Cards('d')/Lines {"No":1}
              3 pending POST Cards('d')/Lines(1)/Parts {"No":2} after [2]
              4 pending PATCH Cards('d')/Lines(1)/Parts(2) {"Text":"p"} after [3]
              5 pending DELETE Cards('d')/Lines(1) after [2, 3, 4]
            drop 5
            send
              2 POST Cards('d')/Lines {"No":1}
            ok 2 {"No":7}
            queue
              3 pending POST Cards('d')/Lines(7)/Parts {"No":2}
              4 pending PATCH Cards('d')/Lines(7)/Parts(2) {"Text":"p"} after [3]
            send
              3 POST Cards('d')/Lines(7)/Parts {"No":2}
            ok 3 {"No":8}
            queue
              4 pending PATCH Cards('d')/Lines(7)/Parts(8) {"Text":"p"}
            rows Cards('d')/Lines(7)/Parts
              {isLocal hasPendingChanges No:8 Text:p}
            drop 4
            rows Cards('d')/Lines(7)/Parts
              {isLocal No:8}
            """#
        ),
        SeamScript(
            "theirs follows no key that was sent from here",
            #"""
            query Orders Orders
            query Items Items
            full Items {"@odata.etag":"1","ID":60,"Text":"a","OrderID":1}
            merge
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            PATCH Items(60) {"OrderID":5}
            full Items {"@odata.etag":"2","ID":60,"Text":"theirs","OrderID":5}
            merge
            send
              1 POST Orders {"ID":5,"Title":"a"}
            ok 1 {"ID":50,"Title":"a"}
            rows Items
              {etag:1 isLocal hasPendingChanges hasConflict ID:60 Text:a OrderID:50}
            conflict Items(60)
              base {"ID":60,"Text":"a","Code":null,"OrderID":1}
              here {"ID":60,"Text":"a","Code":null,"OrderID":50}
              service {"ID":60,"Text":"theirs","Code":null,"OrderID":5}
              changed OrderID
            local Items(60)
            send
              2 PATCH Items(60) If-Match: 2 {"OrderID":50}
            """#
        ),
        SeamScript(
            "an awaited key follows in theirs",
            #"""
            query Orders Orders
            query Items Items
            full Items {"@odata.etag":"1","ID":60,"Text":"a"}
            merge
            POST Orders {"Title":"a"}
              -> Orders(A)
            PATCH Items(60) {"Order@odata.bind":"Orders(A)"}
            full Items {"@odata.etag":"2","ID":60,"Text":"theirs"}
            merge
            send
              1 POST Orders {"Title":"a"}
            ok 1 {"ID":7,"Title":"a"}
            rows Items
              {etag:1 isLocal hasPendingChanges hasConflict ID:60 Text:a OrderID:7}
            conflict Items(60)
              base {"ID":60,"Text":"a","Code":null,"OrderID":null}
              here {"ID":60,"Text":"a","Code":null,"OrderID":7}
              service {"ID":60,"Text":"theirs","Code":null,"OrderID":null}
              changed OrderID
            local Items(60)
            rows Orders(7)/Items
              {etag:2 isLocal hasPendingChanges ID:60 Text:theirs OrderID:7}
            send
              2 PATCH Items(60) If-Match: 2 {"Order@odata.bind":"Orders(7)"}
            """#
        ),
        SeamScript(
            "a key that was not told and is another's leaves the children with their own parent",
            #"""
            query Orders Orders
            query Items Items
            full Items {"ID":63,"Text":"z"}
            merge
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Items {"ID":61,"Text":"x","OrderID":5}
              -> Items(61)
            POST Items {"ID":62,"Text":"y","Order@odata.bind":"Orders(5)"}
              -> Items(62)
            PATCH Items(63) {"OrderID":5}
            PATCH Orders(5) {"Price":1}
            send
              1 POST Orders {"ID":5,"Title":"a"}
            ok 1
            full Orders {"ID":5,"Title":"theirs"} {"ID":9,"Title":"a"}
            full Items {"ID":70,"OrderID":5} {"ID":63,"Text":"z"}
            merge
            rows Orders
              {ID:5 Title:theirs}
              {isLocal hasPendingChanges ID:9 Title:a Price:1}
            rows Items
              {isLocal hasPendingChanges ID:61 Text:x OrderID:9}
              {isLocal hasPendingChanges ID:62 Text:y OrderID:9}
              {isLocal hasPendingChanges ID:63 Text:z OrderID:9}
              {ID:70 OrderID:5}
            queue
              2 pending POST Items {"ID":61,"Text":"x","OrderID":9}
              3 pending POST Items {"ID":62,"Text":"y","Order@odata.bind":"Orders(A)"}
              4 pending PATCH Items(63) {"OrderID":9}
              5 pending PATCH Orders(A) {"Price":1}
            send
              2 POST Items {"ID":61,"Text":"x","OrderID":9}
              3 POST Items {"ID":62,"Text":"y","Order@odata.bind":"Orders(9)"}
              4 PATCH Items(63) If-Match: * stale {"OrderID":9}
              5 PATCH Orders(9) If-Match: * stale {"Price":1}
            """#
        ),
        SeamScript(
            "a key that was not told is found in no one, then given by hand",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Items {"ID":61,"Text":"x","OrderID":5}
              -> Items(61)
            send
              1 POST Orders {"ID":5,"Title":"a"}
            ok 1
            full Orders {"ID":5,"Title":"theirs"}
            merge
            ids Orders
              none
              Orders(A)
            rows Orders
              {ID:5 Title:theirs}
              {isLocal Title:a}
            rows Items
              {isLocal hasPendingChanges ID:61 Text:x}
            queue
              2 pending POST Items {"ID":61,"Text":"x","OrderID":5}
            send
            queue
              2 parked POST Items {"ID":61,"Text":"x","OrderID":5} answered 0
            identify Orders(A) Orders(9)
            rows Items
              {isLocal hasPendingChanges ID:61 Text:x OrderID:9}
            queue
              2 pending POST Items {"ID":61,"Text":"x","OrderID":9}
            send
              2 POST Items {"ID":61,"Text":"x","OrderID":9}
            """#
        ),
        SeamScript(
            "a new entity with another key is deleted under it",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Items {"ID":61,"OrderID":5}
              -> Items(61)
            send
              1 POST Orders {"ID":5,"Title":"a"}
            DELETE Orders(5)
            queue
              1 sending POST Orders {"ID":5,"Title":"a"}
              2 pending POST Items {"ID":61,"OrderID":5} after [1]
              3 pending DELETE Orders(5) after [1, 2]
            ok 1 {"ID":50,"Title":"a"}
            queue
              2 pending POST Items {"ID":61,"OrderID":50}
              3 pending DELETE Orders(50) after [2]
            rows Items
            send
              2 POST Items {"ID":61,"OrderID":50}
            """#
        ),
        SeamScript(
            "a creation is given another key, and all that names it follows",
            #"""
            query Orders Orders
            query Items Items
            query Tags Tags
            full Tags {"Name":"t"}
            merge
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Items {"ID":61,"OrderID":5}
              -> Items(61)
            POST Orders(5)/Tags/$ref {"@odata.id":"Tags('t')"}
            POST Orders(5)/S.close {}
            PATCH Items(61) {"Text":"x"}
            edit 1 {"ID":8,"Title":"b"}
            queue
              1 pending POST Orders {"ID":8,"Title":"b"}
              2 pending POST Items {"ID":61,"OrderID":8} after [1]
              3 pending POST Orders(8)/Tags/$ref {"@odata.id":"Tags('t')"} after [1]
              4 pending POST Orders(8)/S.close {} after [1, 3]
              5 pending PATCH Items(61) {"Text":"x"} after [2]
            rows Items
              {isLocal hasPendingChanges ID:61 Text:x OrderID:8}
            drop 5
            rows Items
              {isLocal hasPendingChanges ID:61 OrderID:8}
            rows Orders(8)/Tags
              {Name:t}
            send
              1 POST Orders {"ID":8,"Title":"b"}
            """#
        ),
        SeamScript(
            "equal keys below two parents",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[]} {"Name":"b","Lines":[]}
            merge
            POST Cards('a')/Lines {"No":1,"Text":"of a"}
              -> Cards('a')/Lines(1)
            POST Cards('b')/Lines {"No":1,"Text":"of b"}
              -> Cards('b')/Lines(1)
            PATCH Cards('b')/Lines(1) {"Text":"b2"}
            PATCH Cards('a')/Lines(1) {"Text":"a2"}
            send
              1 POST Cards('a')/Lines {"No":1,"Text":"of a"}
              2 POST Cards('b')/Lines {"No":1,"Text":"of b"}
            ok 1 {"No":5,"Text":"of a"}
            queue
              2 sending POST Cards('b')/Lines {"No":1,"Text":"of b"}
              3 pending PATCH Cards('b')/Lines(1) {"Text":"b2"} after [2]
              4 pending PATCH Cards('a')/Lines(5) {"Text":"a2"}
            ok 2 {"No":1,"Text":"of b"}
            queue
              3 pending PATCH Cards('b')/Lines(1) {"Text":"b2"}
              4 pending PATCH Cards('a')/Lines(5) {"Text":"a2"}
            rows Cards('a')/Lines
              {isLocal hasPendingChanges No:5 Text:a2}
            rows Cards('b')/Lines
              {isLocal hasPendingChanges No:1 Text:b2}
            send
              3 PATCH Cards('b')/Lines(1) If-Match: * {"Text":"b2"}
              4 PATCH Cards('a')/Lines(5) If-Match: * {"Text":"a2"}
            """#
        ),
        SeamScript(
            "theirs below a parent stands beside what has another key",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[]} {"Name":"b","Lines":[]}
            merge
            POST Cards('a')/Lines {"No":1,"Text":"mine"}
              -> Cards('a')/Lines(1)
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"theirs"}]} {"Name":"b","Lines":[{"No":1,"Text":"b"}]}
            merge
            rows Cards('a')/Lines
              {isLocal hasPendingChanges hasConflict No:1 Text:mine}
            send
              1 POST Cards('a')/Lines {"No":1,"Text":"mine"}
            ok 1 {"No":2,"Text":"mine"}
            rows Cards('a')/Lines
              {isLocal No:2 Text:mine}
            rows Cards('b')/Lines
              {No:1 Text:b}
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"theirs"},{"No":2,"Text":"mine"}]} {"Name":"b","Lines":[]}
            merge
            rows Cards('a')/Lines
              {No:1 Text:theirs}
              {No:2 Text:mine}
            rows Cards('b')/Lines
            """#
        ),
        SeamScript(
            "theirs under a key that a creation gives up is held by its query alone",
            #"""
            query Tags Tags
            query Some Tags?$filter=Color eq 'x'
            POST Tags {"Name":"t","Color":"mine"}
              -> Tags('t')
            PATCH Tags('t') {"Color":"later"}
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            send
              1 POST Tags {"Name":"t","Color":"mine"}
            ok 1 {"Name":"u","Color":"mine"}
            rows Tags
              {etag:9 Name:t Color:theirs}
              {isLocal hasPendingChanges Name:u Color:later}
            drop 2
            rows Tags
              {etag:9 Name:t Color:theirs}
              {isLocal Name:u Color:mine}
            delta Tags
            full Some
            merge
            rows Tags
              {etag:9 Name:t Color:theirs}
            delta Tags {"@removed":{"reason":"deleted"},"@odata.id":"Tags('t')"}
            full Some
            merge
            rows Tags
            """#
        ),
        SeamScript(
            "two new entities get the keys of each other in either order, and their children go with them",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Orders {"ID":6,"Title":"b"}
              -> Orders(6)
            POST Items {"ID":61,"Text":"of a","OrderID":5}
              -> Items(61)
            POST Items {"ID":62,"Text":"of b","OrderID":6}
              -> Items(62)
            POST Items {"ID":63,"Text":"of b","Order@odata.bind":"Orders(6)"}
              -> Items(63)
            send
              1 POST Orders {"ID":5,"Title":"a"}
              2 POST Orders {"ID":6,"Title":"b"}
            ok 1 {"ID":6,"Title":"a"}
            rows Orders
              {isLocal ID:6 Title:a}
              {isLocal hasPendingChanges Title:b}
            rows Items
              {isLocal hasPendingChanges ID:61 Text:of a OrderID:6}
              {isLocal hasPendingChanges ID:62 Text:of b}
              {isLocal hasPendingChanges ID:63 Text:of b}
            queue
              2 sending POST Orders {"ID":6,"Title":"b"}
              3 pending POST Items {"ID":61,"Text":"of a","OrderID":6}
              4 pending POST Items {"ID":62,"Text":"of b","OrderID":6} after [2]
              5 pending POST Items {"ID":63,"Text":"of b","Order@odata.bind":"Orders(A)"} after [2]
            ok 2 {"ID":5,"Title":"b"}
            rows Orders
              {isLocal ID:5 Title:b}
              {isLocal ID:6 Title:a}
            rows Items
              {isLocal hasPendingChanges ID:61 Text:of a OrderID:6}
              {isLocal hasPendingChanges ID:62 Text:of b OrderID:5}
              {isLocal hasPendingChanges ID:63 Text:of b OrderID:5}
            queue
              3 pending POST Items {"ID":61,"Text":"of a","OrderID":6}
              4 pending POST Items {"ID":62,"Text":"of b","OrderID":5}
              5 pending POST Items {"ID":63,"Text":"of b","Order@odata.bind":"Orders(A)"}
            send
              3 POST Items {"ID":61,"Text":"of a","OrderID":6}
              4 POST Items {"ID":62,"Text":"of b","OrderID":5}
              5 POST Items {"ID":63,"Text":"of b","Order@odata.bind":"Orders(5)"}
            """#
        ),
        SeamScript(
            "a key that was edited and lost to another is followed from the one edited",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"ID":5,"Title":"a"}
              -> Orders(5)
            POST Orders {"ID":6,"Title":"b"}
              -> Orders(6)
            POST Items {"ID":60,"OrderID":6}
              -> Items(60)
            POST Orders {"ID":8,"Title":"c"}
              -> Orders(8)
            send
              1 POST Orders {"ID":5,"Title":"a"}
              2 POST Orders {"ID":6,"Title":"b"}
              4 POST Orders {"ID":8,"Title":"c"}
            ok 1 {"ID":6,"Title":"a"}
            fail 2 409
            edit 2 {"ID":7,"Title":"b"}
            queue
              2 pending POST Orders {"ID":7,"Title":"b"}
              3 pending POST Items {"ID":60,"OrderID":7} after [2]
              4 sending POST Orders {"ID":8,"Title":"c"}
            ok 4 {"ID":7,"Title":"c"}
            rows Orders
              {isLocal ID:6 Title:a}
              {isLocal ID:7 Title:c}
              {isLocal hasPendingChanges Title:b}
            send
              2 POST Orders {"ID":7,"Title":"b"}
            ok 2 {"ID":9,"Title":"b"}
            queue
              3 pending POST Items {"ID":60,"OrderID":9}
            rows Items
              {isLocal hasPendingChanges ID:60 OrderID:9}
            """#
        ),
        SeamScript(
            "the local id of a creation taken back names nobody else's entity",
            #"""
            query Orders Orders
            POST Orders {"Title":"mine"}
              -> Orders(A)
            send
              1 POST Orders {"Title":"mine"}
            fail 1 400
            edit 1 {"ID":5,"Title":"mine"}
            full Orders {"@odata.etag":"1","ID":5,"Title":"theirs"}
            merge
            rows Orders(A)
              {isLocal hasPendingChanges hasConflict ID:5 Title:mine}
            undo Orders(5)
            rows Orders
              {etag:1 ID:5 Title:theirs}
            rows Orders(A)
              404
            """#
        ),
        SeamScript(
            "a version of the service has the key of a parent that is told later",
            #"""
            query Orders Orders
            query Items Items?$select=ID,Text
            POST Orders {"Title":"a","Items":[{"ID":10,"Text":"x"}]}
              -> Orders(A)
            send
              1 POST Orders {"Title":"a","Items":[{"ID":10,"Text":"x"}]}
            ok 1
            PATCH Items(10) {"Text":"mine"}
            full Items {"@odata.etag":"1","ID":10,"Text":"x"}
            merge
            delta Items {"@odata.etag":"2","ID":10,"Text":"theirs"}
            merge
            rows Items
              {etag:1 isLocal hasPendingChanges hasConflict ID:10 Text:mine}
            full Orders {"@odata.etag":"1","ID":7,"Title":"a"}
            merge
            conflict Items(10)
              base {"ID":10,"Text":"x","OrderID":7}
              here {"ID":10,"Text":"mine","OrderID":7}
              service {"ID":10,"Text":"theirs","OrderID":7}
              changed Text
            server Items(10)
            rows Items
              {etag:2 ID:10 Text:theirs OrderID:7}
            """#
        ),
        SeamScript(
            "an edit link at another service is not followed",
            #"""
            query Orders Orders
            full Orders {"@odata.id":"http://other/x-1","@odata.editLink":"http://other/e-1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            """#
        ),
        SeamScript(
            "the reference of a link that is removed is the service's address",
            #"""
            query Tags Tags
            query Orders Orders
            full Tags {"@odata.id":"http://service/tag-1","@odata.editLink":"http://service/edit-1","Name":"t"}
            full Orders {"@odata.id":"http://service/order-1","@odata.editLink":"http://service/edit-o","ID":1}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST edit-o/Tags/$ref {"@odata.id":"http://service/tag-1"}
            ok 1
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            send
              2 DELETE edit-o/Tags/$ref?$id=tag-1
            """#
        ),
    ]
}
