extension SeamScript {
    /// What is created anew, insisted on, edited or taken for done.
    static let recreations = [
        SeamScript(
            "what is created anew brings what it has contained, and the changes of that follow",
            #"""
            query Cards Cards?$expand=Lines($expand=Parts)
            full Cards {"@odata.etag":"1","Name":"a","Title":"x","Lines":[{"No":1,"Text":"i","Parts":[{"No":1,"Text":"s"}]},{"No":2,"Text":"k"}]}
            merge
            POST Cards('a')/Lines(1)/Parts {"No":9,"Text":"new"}
              -> Cards('a')/Lines(1)/Parts(9)
            PATCH Cards('a')/Lines(1)/Parts(1) {"Text":"mine"}
            PATCH Cards('a') {"Title":"mine"}
            POST Cards('a')/Lines {"No":5}
              -> Cards('a')/Lines(5)
            DELETE Cards('a')/Lines(2)
            send
              1 POST Cards('a')/Lines(1)/Parts {"No":9,"Text":"new"}
              2 PATCH Cards('a')/Lines(1)/Parts(1) If-Match: * stale {"Text":"mine"}
              3 PATCH Cards('a') If-Match: 1 {"Title":"mine"}
              4 POST Cards('a')/Lines {"No":5}
              5 DELETE Cards('a')/Lines(2) If-Match: * stale
            fail 1 404
            fail 2 404
            gone 2
            fail 3 404
            gone 3
            fail 4 400
            back 5
            local Cards('a')/Lines(1)/Parts(1)
              error: the service has deleted what contains the entity too: resolve the conflict of Cards('a'), whose creation brings what it contains
            local Cards('a')
            queue
              1 pending POST Cards('a')/Lines(1)/Parts {"No":9,"Text":"new"} after [3]
              2 pending PATCH Cards('a')/Lines(1)/Parts(1) {"Text":"mine"} after [3]
              3 pending POST Cards {"Name":"a","Title":"mine","Lines":[{"No":1,"Text":"i","Parts":[{"No":1,"Text":"s"}]},{"No":2,"Text":"k"}]}
              4 failed POST Cards('a')/Lines {"No":5} after [3] answered 400
              5 pending DELETE Cards('a')/Lines(2) after [3]
            conflicts
            send
              3 POST Cards {"Name":"a","Title":"mine","Lines":[{"No":1,"Text":"i","Parts":[{"No":1,"Text":"s"}]},{"No":2,"Text":"k"}]}
            ok 3 {"Name":"a","Title":"mine","Lines":[{"No":7,"Text":"i","Parts":[{"No":1,"Text":"s"}]},{"No":2,"Text":"k"}]}
            send
              1 POST Cards('a')/Lines(7)/Parts {"No":9,"Text":"new"}
              2 PATCH Cards('a')/Lines(7)/Parts(1) If-Match: * {"Text":"mine"}
              5 DELETE Cards('a')/Lines(2) If-Match: *
            ok 1 {"No":9,"Text":"new"}
            ok 2
            ok 5
            drop 4
            rows Cards?$expand=Lines($expand=Parts)
              {isLocal Name:a Title:mine Lines:[{isLocal No:7 Text:i Parts:[{isLocal No:1 Text:mine},{isLocal No:9 Text:new}]}]}
            queue
            """#
        ),
        SeamScript(
            "what contains a change is created anew without one of its own",
            #"""
            query Cards Cards?$expand=Lines($expand=Parts)
            full Cards {"Name":"a","Title":"x","Lines":[{"No":1,"Text":"i","Parts":[{"No":1,"Text":"s"}]}]}
            merge
            PATCH Cards('a')/Lines(1)/Parts(1) {"Text":"mine"}
            delta Cards {"@removed":{"reason":"deleted"},"@odata.id":"Cards('a')"}
            merge
            local Cards('a')
            queue
              1 pending PATCH Cards('a')/Lines(1)/Parts(1) {"Text":"mine"} after [2]
              2 pending POST Cards {"Name":"a","Title":"x","Lines":[{"No":1,"Text":"i","Parts":[{"No":1,"Text":"s"}]}]}
            rows Cards?$expand=Lines($expand=Parts)
              {isLocal hasPendingChanges Name:a Title:x Lines:[{isLocal hasPendingChanges No:1 Text:i Parts:[{isLocal hasPendingChanges No:1 Text:mine}]}]}
            drop 1
            rows Cards?$expand=Lines($expand=Parts)
              {isLocal hasPendingChanges Name:a Title:x Lines:[{isLocal hasPendingChanges No:1 Text:i Parts:[{isLocal hasPendingChanges No:1 Text:s}]}]}
            drop 2
            rows Cards
            queue
            """#
        ),
        SeamScript(
            "what contains a media entity is not created anew",
            #"""
            query Memos Memos?$expand=Shots,Cover
            full Memos {"ID":1,"Text":"m","Shots":[{"ID":4}]} {"ID":2,"Text":"n","Shots":[],"Cover":{"No":1,"Text":"c"}}
            merge
            PATCH Memos(1) {"Text":"x"}
            PATCH Memos(2) {"Text":"y"}
            delta Memos {"@removed":{"reason":"deleted"},"@odata.id":"Memos(1)"} {"@removed":{"reason":"deleted"},"@odata.id":"Memos(2)"}
            merge
            local Memos(1)
              error: the service has deleted the entity, and it cannot be created anew: it contains the media entity Memos(1)/Shots(4), which is created from its stream; let the service's side stand
            local Memos(2)
            queue
              1 pending PATCH Memos(1) {"Text":"x"}
              2 pending POST Memos {"ID":2,"Text":"y","Place":null,"Marks":null,"Grade":null,"TagName":null,"BoxID":null,"Cover":{"No":1,"Text":"c"}}
            """#
        ),
        SeamScript(
            "what was related twice is created anew with the last relation",
            #"""
            query Cards Cards
            query Tags Tags
            full Cards {"Name":"c","Title":"a"}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            PATCH Cards('c') {"Tag@odata.bind":"Tags('t')"}
            PATCH Cards('c') {"Tag@odata.bind":"Tags('u')"}
            delta Cards {"@removed":{"reason":"deleted"},"@odata.id":"Cards('c')"}
            merge
            local Cards('c')
            send
              1 POST Cards {"Name":"c","Title":"a","Tag@odata.bind":"Tags('u')"}
            """#
        ),
        SeamScript(
            "a foreign key given by value follows an entity that is created anew",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1,"Title":"a"} {"ID":2}
            full Items {"ID":10} {"ID":11,"OrderID":2}
            merge
            PATCH Items(10) {"OrderID":1}
            PATCH Items(11) {"Text":"x"}
            PATCH Orders(1) {"Title":"b"}
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"Orders(1)"}
            merge
            local Orders(1)
            queue
              1 pending PATCH Items(10) {"OrderID":1} after [3]
              2 pending PATCH Items(11) {"Text":"x"}
              3 pending POST Orders {"ID":1,"Title":"b","Price":null}
            send
              2 PATCH Items(11) If-Match: * stale {"Text":"x"}
              3 POST Orders {"ID":1,"Title":"b","Price":null}
            ok 3 {"ID":9,"Title":"b"}
            ok 2
            send
              1 PATCH Items(10) If-Match: * stale {"OrderID":9}
            """#
        ),
        SeamScript(
            "a change of an entity created inline is taken back alone",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a","Items":[{"Text":"i"}]}
              -> Orders(A)
            ids Items
              Items(B)
            PATCH Items(B) {"Text":"j"}
            queue
              1 pending POST Orders {"Title":"a","Items":[{"Text":"i"}]}
              2 pending PATCH Items(B) {"Text":"j"} after [1]
            drop 2
            rows Items
              {isLocal hasPendingChanges Text:i}
            POST Cards {"Name":"c","Item@odata.bind":"Items(B)"}
              -> Cards('c')
            queue
              1 pending POST Orders {"Title":"a","Items":[{"Text":"i"}]}
              3 pending POST Cards {"Name":"c","Item@odata.bind":"Items(B)"} after [1]
            drop 1
            queue
            rows Items
            rows Cards
            """#
        ),
        SeamScript(
            "a contained creation gets another key, unless its fellow has it",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x"}]} {"Name":"b","Lines":[{"No":2,"Text":"y"}]}
            merge
            POST Cards('a')/Lines {"No":5,"Text":"z"}
              -> Cards('a')/Lines(5)
            edit 1 {"No":1,"Text":"z"}
              error: an entity with this key is in the store already: give another
            edit 1 {"No":2,"Text":"z"}
            rows Cards('a')/Lines
              {No:1 Text:x}
              {isLocal hasPendingChanges No:2 Text:z}
            rows Cards('b')/Lines
              {No:2 Text:y}
            queue
              1 pending POST Cards('a')/Lines {"No":2,"Text":"z"}
            edit 1 []
              error: expected a JSON object, found an array (line 1, column 1, byte 0)
            edit 9 {}
              error: there is no request 9 in the queue or the archive
            DELETE Cards('b')/Lines(2)
            edit 2 {"No":2}
              error: request 2 (DELETE Cards('b')/Lines(2)) carries no values of an entity; drop it, and make the change anew
            """#
        ),
        SeamScript(
            "a creation of several entities is not edited",
            #"""
            query Orders Orders
            POST Orders {"Title":"a","Items":[{"Text":"i"}]}
              -> Orders(A)
            edit 1 {"Title":"b"}
              error: request 1 creates several entities: change each of them by itself, and the request follows; or take it back and create them anew
            edit 1 {"Title":"b","Items":[{"Text":"k"}]}
              error: request 1 creates several entities: change each of them by itself, and the request follows; or take it back and create them anew
            queue
              1 pending POST Orders {"Title":"a","Items":[{"Text":"i"}]}
            """#
        ),
        SeamScript(
            "requests taken for done leave their values",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
              -> Items(A)
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              3 POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
            fail 1 400
            queue
              1 failed PATCH Orders(1) {"Title":"b"} answered 400
              2 parked PATCH Orders(1) {"Price":2} after [1]
              3 sending POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
            done Orders(1)
              [1, 2]
            queue
              3 sending POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
            rows Orders
              {isLocal ID:1 Title:b Price:2}
            """#
        ),
        SeamScript(
            "what waited for a request that is taken for done waits no more",
            #"""
            query Orders Orders
            POST Orders {"Title":"a"}
              -> Orders(A)
            POST Items {"Text":"n","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            send
              1 POST Orders {"Title":"a"}
            fail 1 400
            queue
              1 failed POST Orders {"Title":"a"} answered 400
              2 parked POST Items {"Text":"n","Order@odata.bind":"Orders(A)"} after [1]
            done Orders(A)
              [1]
            queue
              2 pending POST Items {"Text":"n","Order@odata.bind":"Orders(A)"}
            send
            """#
        ),
        SeamScript(
            "a creation that becomes an update keeps its header fields but the condition",
            #"""
            query Tags Tags
            header=If-None-Match:* header=X:1 POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            local Tags('t')
            queue
              1 pending PATCH Tags('t') {"Color":"r"} [X: 1]
            send
              1 PATCH Tags('t') If-Match: 9 {"Color":"r"} X: 1
            """#
        ),
        SeamScript(
            "a refused creation of what was deleted here again cannot be insisted on",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            DELETE Tags('t')
            send
              1 POST Tags {"Name":"t","Color":"r"}
            fail 1 409
            their 1 etag=9 {"Name":"t","Color":"theirs"}
            conflicts
              creation Tags('t')
            conflict Tags('t')
              service {"Name":"t","Color":"theirs"}
              changed 
            local Tags('t')
              error: the entity is deleted here: take back its creation, then delete the one that the service has
            server Tags('t')
            rows Tags
            queue
            """#
        ),
        SeamScript(
            "a creation that met an entity of another type cannot become its update",
            #"""
            query Memos Memos
            POST Memos {"@odata.type":"#S.LongMemo","ID":1,"Text":"m","More":"x"}
              -> Memos(1)
            full Memos {"@odata.etag":"1","ID":1,"Text":"theirs"}
            merge
            local Memos(1)
              error: the service's entity is of another type, which no change can give it: let the service's side stand, or delete the entity and create it anew
            server Memos(1)
            rows Memos
              {etag:1 ID:1 Text:theirs}
            queue
            """#
        ),
        SeamScript(
            "what is created anew has its key, and no other value that the service computes",
            #"""
            query Memos Memos
            full Memos {"@odata.etag":"1","ID":1,"Text":"m","Count":3,"Place":{"City":"c"},"Marks":["x"],"Grade":"g"}
            merge
            header=If-Match:1 header=X:y PATCH Memos(1) {"Text":"n"}
            send
              1 PATCH Memos(1) If-Match: 1 {"Text":"n"} X: y
            fail 1 404
            gone 1
            conflicts
              update Memos(1) gone
            local Memos(1)
            queue
              1 pending POST Memos {"ID":1,"Text":"n","Place":{"City":"c","Zip":null},"Marks":["x"],"Grade":"g","TagName":null,"BoxID":null} [X: y]
            send
              1 POST Memos {"ID":1,"Text":"n","Place":{"City":"c","Zip":null},"Marks":["x"],"Grade":"g","TagName":null,"BoxID":null} X: y
            """#
        ),
        SeamScript(
            "what an update has set in other entities stays with the creation that it becomes",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            full Items {"ID":5,"OrderID":2,"Text":"i"}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Items@odata.bind":["Items(5)"]}
            PATCH Items(5) {"Text":"z"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            fail 1 404
            gone 1
            local Orders(1)
            queue
              1 pending POST Orders {"ID":1,"Title":"b","Price":null,"Items@odata.bind":["Items(5)"]}
              3 pending PATCH Items(5) {"Text":"z"} after [1]
            rows Items
              {isLocal hasPendingChanges ID:5 Text:z OrderID:1}
            drop 3
            rows Items
              {isLocal hasPendingChanges ID:5 Text:i OrderID:1}
            send
              1 POST Orders {"ID":1,"Title":"b","Price":null,"Items@odata.bind":["Items(5)"]}
            ok 1 {"ID":1,"Title":"b"}
            rows Items
              {isLocal ID:5 Text:i OrderID:1}
            """#
        ),
        SeamScript(
            "what is deleted here too is not created anew",
            #"""
            query Orders Orders
            query Cards Cards
            full Orders {"ID":1,"Title":"a"}
            full Cards {"Name":"a","Title":"x","Extra":1,"More":"y"}
            merge
            DELETE Orders(1)
            PATCH Cards('a') {"Extra":2}
            full Orders
            full Cards
            merge
            conflicts
              deletion Orders(1) gone
              update Cards('a') gone
            local Orders(1)
              error: the entity is deleted here too: let the service's side stand
            local Cards('a')
            queue
              1 pending DELETE Orders(1)
              2 pending POST Cards {"Name":"a","Title":"x","Extra":2,"More":"y"}
            server Orders(1)
            rows Orders
            """#
        ),
        SeamScript(
            "what has no changed value is not created anew",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a"}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            full Orders
            merge
            conflicts
              update Orders(1) gone
            local Orders(1)
              error: the service has deleted the entity, and it cannot be created anew: no value of it is changed here; let the service's side stand
            server Orders(1)
            rows Orders
            """#
        ),
        SeamScript(
            "a contained entity is created anew in its collection",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x"}]}
            merge
            PATCH Cards('a')/Lines(1) {"Text":"y"}
            full Cards {"Name":"a","Lines":[]}
            merge
            conflicts
              update Cards('a')/Lines(1) gone
            local Cards('a')/Lines(1)
            queue
              1 pending POST Cards('a')/Lines {"No":1,"Text":"y"}
            send
              1 POST Cards('a')/Lines {"No":1,"Text":"y"}
            ok 1 {"No":1,"Text":"y"}
            rows Cards('a')/Lines
              {isLocal No:1 Text:y}
            """#
        ),
        SeamScript(
            "a singleton is not created anew",
            #"""
            query Top Top
            one Top {"Name":"t","Color":"r"}
            merge
            PATCH Top {"Color":"s"}
            send
              1 PATCH Top If-Match: * stale {"Color":"s"}
            fail 1 404
            gone 1
            conflicts
              update Top gone
            local Top
              error: the service has deleted the entity, and it cannot be created anew: a singleton cannot be created; let the service's side stand
            server Top
            rows Top
              404
            queue
            """#
        ),
        SeamScript(
            "what is created anew inside of another has no copy of the service",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Title":"t","Lines":[{"@odata.etag":"\"1\"","No":1,"Text":"x"}]}
            merge
            PATCH Cards('a') {"Title":"u"}
            PATCH Cards('a')/Lines(1) {"Text":"y"}
            send
              1 PATCH Cards('a') If-Match: * stale {"Title":"u"}
              2 PATCH Cards('a')/Lines(1) If-Match: "1" {"Text":"y"}
            fail 2 412
            their 2 etag="2" {"No":1,"Text":"z"}
            fail 1 404
            gone 1
            local Cards('a')
            rows Cards?$expand=Lines
              {isLocal hasPendingChanges Name:a Title:u Lines:[{isLocal hasPendingChanges inErrorState No:1 Text:y}]}
            conflicts
            send
              1 POST Cards {"Name":"a","Title":"u","Lines":[{"No":1,"Text":"x"}]}
            ok 1 {"Name":"a","Lines":[{"No":1,"Text":"x"}]}
            rows Cards?$expand=Lines
              {isLocal Name:a Title:u Lines:[{isLocal hasPendingChanges inErrorState No:1 Text:y}]}
            conflicts
            """#
        ),
        SeamScript(
            "what was refused inside of an entity for another reason stays refused",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Title":"t","Lines":[{"No":1,"Text":"x"},{"No":2,"Text":"x"}]}
            merge
            PATCH Cards('a') {"Title":"u"}
            PATCH Cards('a')/Lines(1) {"Text":"y"}
            PATCH Cards('a')/Lines(2) {"Text":"z"}
            send
              1 PATCH Cards('a') If-Match: * stale {"Title":"u"}
              2 PATCH Cards('a')/Lines(1) If-Match: * stale {"Text":"y"}
              3 PATCH Cards('a')/Lines(2) If-Match: * stale {"Text":"z"}
            fail 2 400
            fail 3 410
            fail 1 404
            gone 1
            local Cards('a')
            queue
              1 pending POST Cards {"Name":"a","Title":"u","Lines":[{"No":1,"Text":"x"},{"No":2,"Text":"x"}]}
              2 failed PATCH Cards('a')/Lines(1) {"Text":"y"} after [1] answered 400
              3 pending PATCH Cards('a')/Lines(2) {"Text":"z"} after [1]
            """#
        ),
        SeamScript(
            "nothing is created anew while a change of what it contains is being sent",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Title":"t","Lines":[{"No":1,"Text":"x"}]}
            merge
            PATCH Cards('a') {"Title":"u"}
            PATCH Cards('a')/Lines(1) {"Text":"y"}
            send
              1 PATCH Cards('a') If-Match: * stale {"Title":"u"}
              2 PATCH Cards('a')/Lines(1) If-Match: * stale {"Text":"y"}
            fail 1 404
            gone 1
            local Cards('a')
              error: request 2 is being sent: wait for the end of the upload, or upload again to settle it
            queue
              1 failed PATCH Cards('a') {"Title":"u"} answered 404
              2 sending PATCH Cards('a')/Lines(1) {"Text":"y"}
            """#
        ),
        SeamScript(
            "changes that name an entity by its value follow the key of its recreation",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1,"Title":"a"}
            full Items {"ID":5}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Items(5) {"OrderID":1}
            fail 1 404
            gone 1
            local Orders(1)
            queue
              1 pending POST Orders {"ID":1,"Title":"b","Price":null}
              2 pending PATCH Items(5) {"OrderID":1} after [1]
            send
              1 POST Orders {"ID":1,"Title":"b","Price":null}
            ok 1 {"ID":9,"Title":"b"}
            rows Items
              {isLocal hasPendingChanges ID:5 OrderID:9}
            queue
              2 pending PATCH Items(5) {"OrderID":9}
            """#
        ),
        SeamScript(
            "an open entity is created anew with its dynamic properties",
            #"""
            query Cards Cards
            full Cards {"Name":"a","Title":"t","Hue":"red","Size":3}
            merge
            PATCH Cards('a') {"Title":"u"}
            fail 1 404
            gone 1
            local Cards('a')
            queue
              1 pending POST Cards {"Name":"a","Title":"u","Hue":"red","Size":3}
            """#
        ),
        SeamScript(
            "a deletion of what is gone takes the changes of what it contains",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x"}]}
            merge
            PATCH Cards('a')/Lines(1) {"Text":"y"}
            PATCH Cards('a') {"Title":"u"}
            delta Cards {"@removed":{"reason":"deleted"},"@id":"Cards('a')"}
            merge
            conflicts
              update Cards('a') gone
            DELETE Cards('a')
            queue
            rows Cards?$expand=Lines
            events
              Conflict: the service's version stays; taken back: PATCH Cards('a') {"Title":"u"}
              Conflict: the service's version stays; taken back: PATCH Cards('a')/Lines(1) {"Text":"y"}
            """#
        ),
        SeamScript(
            "what waits for a new entity inside of what is gone goes with it",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x"}]}
            merge
            POST Cards('a')/Lines {"No":2}
              -> Cards('a')/Lines(2)
            POST Cards('a')/Lines(2)/Parts {"No":3}
              -> Cards('a')/Lines(2)/Parts(3)
            POST attach {"tag":"Cards('a')/Lines(2)"}
            queue
              1 pending POST Cards('a')/Lines {"No":2}
              2 pending POST Cards('a')/Lines(2)/Parts {"No":3} after [1]
              3 pending POST attach {"tag":"Cards('a')/Lines(2)"} after [1]
            delta Cards {"@removed":{"reason":"deleted"},"@id":"Cards('a')"}
            merge
            DELETE Cards('a')
            queue
            rows Cards?$expand=Lines
            """#
        ),
        SeamScript(
            "an edited creation keeps out of the way of another key",
            #"""
            query Tags Tags
            full Tags {"Name":"a"}
            merge
            POST Tags {"Name":"b"}
              -> Tags('b')
            send
              1 POST Tags {"Name":"b"}
            fail 1 400
            edit 1 {"Name":"a"}
              error: an entity with this key is in the store already: give another
            edit 1 {"Name":"b","Color":"r"}
            edit 1 {"Name":"c"}
            queue
              1 pending POST Tags {"Name":"c"}
            """#
        ),
        SeamScript(
            "deletions of contained entities with the same key are told apart",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x"}]} {"Name":"b","Lines":[{"No":1,"Text":"y"}]}
            merge
            DELETE Cards('a')/Lines(1)
            DELETE Cards('b')/Lines(1)
            undo Cards('b')/Lines(1)
            queue
              1 pending DELETE Cards('a')/Lines(1)
            rows Cards('b')/Lines
              {No:1 Text:y}
            """#
        ),
    ]
}
