extension SeamScript {
    /// What requests wait for, and what becomes of the others when one changes.
    static let queues = [
        SeamScript(
            "what waits for a request of crossing transactions waits for their merged one",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1} {"@odata.etag":"1","ID":2}
            merge
            tx=t PATCH Orders(1) {"Title":"a"}
            tx=u PATCH Orders(2) {"Title":"b"}
            tx=u PATCH Orders(1) {"Price":1}
            tx=t PATCH Orders(2) {"Price":2}
            PATCH Orders(1) {"Title":"z"}
            queue
              1 pending PATCH Orders(1) {"Title":"a"}
              2 pending PATCH Orders(2) {"Title":"b"}
              3 pending PATCH Orders(1) {"Price":1} after [1]
              4 pending PATCH Orders(2) {"Price":2} after [2]
              5 pending PATCH Orders(1) {"Title":"z"} after [3]
            send
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"a","Price":1}
              set 1: 2 PATCH Orders(2) If-Match: 1 {"Title":"b","Price":2}
            queue
              1 sending PATCH Orders(1) {"Title":"a","Price":1}
              2 sending PATCH Orders(2) {"Title":"b","Price":2}
              5 pending PATCH Orders(1) {"Title":"z"} after [1]
            """#
        ),
        SeamScript(
            "three transactions in a circle go as one",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1} {"@odata.etag":"1","ID":2} {"@odata.etag":"1","ID":3}
            merge
            tx=t PATCH Orders(1) {"Title":"a"}
            tx=u PATCH Orders(2) {"Title":"b"}
            tx=v PATCH Orders(3) {"Title":"c"}
            tx=u PATCH Orders(1) {"Price":1}
            tx=v PATCH Orders(2) {"Price":2}
            tx=t PATCH Orders(3) {"Price":3}
            send
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"a","Price":1}
              set 1: 2 PATCH Orders(2) If-Match: 1 {"Title":"b","Price":2}
              set 1: 3 PATCH Orders(3) If-Match: 1 {"Title":"c","Price":3}
            """#
        ),
        SeamScript(
            "both ends of a link have another ETag afterwards",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            full Tags {"@odata.etag":"1","Name":"t"} {"@odata.etag":"1","Name":"u"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('t')"}
            ok 1
            PATCH Orders(1) {"Title":"b"}
            PATCH Tags('t') {"Color":"c"}
            send
              2 PATCH Orders(1) If-Match: * stale {"Title":"b"}
              3 PATCH Tags('t') If-Match: * stale {"Color":"c"}
            """#
        ),
        SeamScript(
            "every local request that loses is noted",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs"}
            merge
            server Orders(1)
            events
              Conflict: the service's version stays; taken back: PATCH Orders(1) {"Price":2}
              Conflict: the service's version stays; taken back: PATCH Orders(1) {"Title":"b"}
            rows Orders
              {etag:2 ID:1 Title:theirs}
            queue
            """#
        ),
        SeamScript(
            "a merge keeps what the joined requests waited for",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            full Tags {"@odata.etag":"1","Name":"t"} {"@odata.etag":"1","Name":"u"}
            merge
            POST Tags {"Name":"new"}
              -> Tags('new')
            PATCH Orders(1) {"Main@odata.bind":"Tags('new')"}
            PATCH Orders(1) {"Title":"b"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"theirs"}
            full Tags {"@odata.etag":"1","Name":"t"} {"@odata.etag":"1","Name":"u"}
            merge
            merge-with Orders(1) {"Title":"both"}
            queue
              1 pending POST Tags {"Name":"new"}
              3 pending PATCH Orders(1) {"Title":"both","Main@odata.bind":"Tags('new')"} after [1]
            send
              1 POST Tags {"Name":"new"}
            ok 1 etag=1 {"Name":"new"}
            send
              3 PATCH Orders(1) If-Match: 2 {"Title":"both","Main@odata.bind":"Tags('new')"}
            """#
        ),
        SeamScript(
            "an edited creation stays below its parent",
            #"""
            query Orders Orders
            query Items Items
            POST Orders {"Title":"a"}
              -> Orders(A)
            POST Orders(A)/Items {"Text":"x"}
              -> Items(B)
            edit 2 {"Text":"y"}
            rows Orders(A)/Items
              {isLocal hasPendingChanges Text:y}
            send
              1 POST Orders {"Title":"a"}
            ok 1 {"ID":7}
            send
              2 POST Orders(7)/Items {"Text":"y"}
            ok 2 {"ID":70,"Text":"y","OrderID":7}
            rows Orders(7)/Items
              {isLocal ID:70 Text:y OrderID:7}
            """#
        ),
        SeamScript(
            "what is created anew has all values and links",
            #"""
            query Cards Cards
            query Tags Tags
            full Cards {"Name":"c","Title":"a","Free":"x"}
            full Tags {"Name":"t"}
            merge
            PATCH Cards('c') {"Title":"b"}
            PATCH Cards('c') {"Tag@odata.bind":"Tags('t')"}
            POST Cards('c')/Lines {"No":1}
              -> Cards('c')/Lines(1)
            delta Cards {"@removed":{"reason":"deleted"},"@odata.id":"Cards('c')"}
            merge
            local Cards('c')
            queue
              1 pending POST Cards {"Name":"c","Title":"b","Tag@odata.bind":"Tags('t')","Free":"x"}
              3 pending POST Cards('c')/Lines {"No":1} after [1]
            send
              1 POST Cards {"Name":"c","Title":"b","Tag@odata.bind":"Tags('t')","Free":"x"}
            ok 1 etag=5 {"Name":"c"}
            send
              3 POST Cards('c')/Lines {"No":1}
            """#
        ),
        SeamScript(
            "a refused update gets the new target of a single-valued property",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            full Tags {"@odata.etag":"1","Name":"t"} {"@odata.etag":"1","Name":"u"}
            merge
            PATCH Orders(1) {"Title":"b","Main@odata.bind":"Tags('t')"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b","Main@odata.bind":"Tags('t')"}
            fail 1 400
            PATCH Orders(1) {"Main@odata.bind":"Tags('u')"}
            queue
              1 pending PATCH Orders(1) {"Title":"b","Main@odata.bind":"Tags('u')"}
            rows Orders(1)/Main
              {etag:1 Name:u}
            """#
        ),
        SeamScript(
            "a link changed from both sides is one link",
            #"""
            query Cards Cards?$expand=Peers
            full Cards {"Name":"a","Peers":[]} {"Name":"b","Peers":[]}
            merge
            POST Cards('a')/Peers/$ref {"@odata.id":"Cards('b')"}
            DELETE Cards('b')/PeerOf/$ref?$id=http://service/Cards('a')
            queue
              1 pending POST Cards('a')/Peers/$ref {"@odata.id":"Cards('b')"}
              2 pending DELETE Cards('b')/PeerOf/$ref?$id=Cards('a') after [1]
            rows Cards('a')/Peers
            drop 2
            rows Cards('a')/Peers
              {Name:b}
            """#
        ),
        SeamScript(
            "an update does not move before what refers to the entity",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            query Items Items
            PATCH Orders(1) {"Title":"b"}
            POST Items {"Text":"x","Order@odata.bind":"Orders(1)"}
              -> Items(A)
            optimize PATCH Orders(1) {"Title":"c"}
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending POST Items {"Text":"x","Order@odata.bind":"Orders(1)"}
              3 pending PATCH Orders(1) {"Title":"c"} after [1]
            """#
        ),
        SeamScript(
            "a deletion waits for what names the entity",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            full Tags {"@odata.etag":"1","Name":"t"} {"@odata.etag":"1","Name":"u"}
            merge
            POST Orders {"Title":"b","Main@odata.bind":"Tags('t')"}
              -> Orders(A)
            DELETE Tags('t')
            queue
              1 pending POST Orders {"Title":"b","Main@odata.bind":"Tags('t')"}
              2 pending DELETE Tags('t') after [1]
            send
              1 POST Orders {"Title":"b","Main@odata.bind":"Tags('t')"}
            """#
        ),
        SeamScript(
            "what is deleted here cannot be linked",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            full Tags {"@odata.etag":"1","Name":"t"} {"@odata.etag":"1","Name":"u"}
            merge
            DELETE Tags('t')
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
              404 'the entity that the request refers to is not in the store'
            PATCH Orders(1) {"Main@odata.bind":"Tags('t')"}
              404 'the entity that the request refers to is not in the store'
            queue
              1 pending DELETE Tags('t')
            """#
        ),
        SeamScript(
            "a transaction waits for the member whose outcome is not known",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1} {"@odata.etag":"1","ID":2}
            merge
            tx=t PATCH Orders(1) {"Title":"a"}
            tx=t PATCH Orders(2) {"Title":"b"}
            send
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"a"}
              set 1: 2 PATCH Orders(2) If-Match: 1 {"Title":"b"}
            unknown 1
            back 2
            send
            split 1
            send
              2 PATCH Orders(2) If-Match: 1 {"Title":"b"}
            """#
        ),
        SeamScript(
            "a refusal parks the rest of the transaction",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1} {"@odata.etag":"1","ID":2}
            merge
            tx=t PATCH Orders(1) {"Title":"a"}
            tx=t PATCH Orders(2) {"Title":"b"}
            send
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"a"}
              set 1: 2 PATCH Orders(2) If-Match: 1 {"Title":"b"}
            back 2
            fail 1 400
            queue
              1 failed PATCH Orders(1) {"Title":"a"} answered 400
              2 parked PATCH Orders(2) {"Title":"b"} answered 0
            send
            discard 1
            queue
            rows Orders
              {etag:1 ID:1}
              {etag:1 ID:2}
            """#
        ),
        SeamScript(
            "only the category asked for is sent",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2} {"ID":3}
            merge
            cat=c PATCH Orders(1) {"Title":"a"}
            PATCH Orders(2) {"Title":"b"}
            cat=d PATCH Orders(3) {"Title":"d"}
            optimize PATCH Orders(1) {"Price":1}
            send c
              1 PATCH Orders(1) If-Match: * stale {"Title":"a"}
            """#
        ),
        SeamScript(
            "an update whose answer was lost has no name to be told",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            unknown 1
            identify Orders(1) Orders(1)
              error: the key of Orders(1) is not open: only an entity that the service created without returning its key, or without an answer, can be named
            queue
              1 unknownOutcome PATCH Orders(1) {"Title":"b"}
            """#
        ),
        SeamScript(
            "the lost members of a transaction wait together again",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"} {"@odata.etag":"1","ID":2,"Title":"a"}
            merge
            tx=T PATCH Orders(1) {"Title":"b"}
            tx=T PATCH Orders(2) {"Title":"b"}
            send
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              set 1: 2 PATCH Orders(2) If-Match: 1 {"Title":"b"}
            unknown 1
            unknown 2
            retry 2
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending PATCH Orders(2) {"Title":"b"}
            send
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              set 1: 2 PATCH Orders(2) If-Match: 1 {"Title":"b"}
            """#
        ),
        SeamScript(
            "a transaction at the service is not taken apart",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"} {"@odata.etag":"1","ID":2,"Title":"a"}
            merge
            tx=T PATCH Orders(1) {"Title":"b"}
            tx=T PATCH Orders(2) {"Title":"b"}
            send
              set 1: 1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              set 1: 2 PATCH Orders(2) If-Match: 1 {"Title":"b"}
            split 1
              error: request 1 is being sent: wait for the end of the upload, or upload again to settle it
            back 1
            back 2
            split 1
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              2 PATCH Orders(2) If-Match: 1 {"Title":"b"}
            """#
        ),
        SeamScript(
            "a deleted entity is named by its derived type",
            #"""
            query Memos Memos
            full Memos {"@odata.type":"#S.LongMemo","@odata.etag":"1","ID":1,"Text":"a","More":"m"}
            merge
            DELETE Memos(1)
            rows Memos
            undo Memos(1)/S.LongMemo
            rows Memos
              {etag:1 ID:1 Text:a More:m}
            """#
        ),
        SeamScript(
            "a deletion goes behind that of an entity with its key, which a service may want gone first",
            #"""
            query Tags Tags
            query Memos Memos
            full Tags {"Name":"t"}
            full Memos {"@odata.etag":"1","ID":1,"TagName":"t"}
            merge
            DELETE Memos(1)
            DELETE Tags('t')
            queue
              1 pending DELETE Memos(1)
              2 pending DELETE Tags('t') after [1]
            """#
        ),
        SeamScript(
            "a singleton that the metadata lets nobody change is not changed",
            #"""
            query Seal Seal
            query Top Top
            one Seal {"Name":"s","Color":"r"}
            one Top {"Name":"t","Color":"r"}
            merge
            PATCH Seal {"Color":"b"}
              405 'Seal cannot be changed: the service's metadata says so'
            PUT Seal {"Name":"s","Color":"b"}
              405 'Seal cannot be changed: the service's metadata says so'
            DELETE Seal
              405 'Seal cannot be deleted: the metadata says that it is always there'
            PATCH Top {"Color":"b"}
            rows Seal
              {Name:s Color:r}
            queue
              1 pending PATCH Top {"Color":"b"}
            send
              1 PATCH Top If-Match: * stale {"Color":"b"}
            """#
        ),
        SeamScript(
            "a deletion in a transaction stands for the change before it",
            #"""
            query Tags Tags
            full Tags {"Name":"a"} {"Name":"b"}
            merge
            tx=t PATCH Tags('a') {"Color":"c"}
            tx=t PATCH Tags('b') {"Color":"d"}
            tx=t DELETE Tags('a')
            queue
              2 pending PATCH Tags('b') {"Color":"d"}
              3 pending DELETE Tags('a')
            send
              set 1: 2 PATCH Tags('b') If-Match: * stale {"Color":"d"}
              set 1: 3 DELETE Tags('a') If-Match: * stale
            optimize PATCH Tags('b') {"Color":"e"}
            optimize DELETE Tags('b')
            queue
              2 sending PATCH Tags('b') {"Color":"d"}
              3 sending DELETE Tags('a')
              4 pending PATCH Tags('b') {"Color":"e"} after [2]
              5 pending DELETE Tags('b') after [2, 4]
            """#
        ),
        SeamScript(
            "a change that another request names meanwhile is not made one with the next",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a"}
            full Tags {"Name":"n"}
            merge
            optimize PATCH Orders(1) {"Title":"b"}
            POST S.attach {"tag":"Orders(1)"}
              404 'the service has no S.attach, at offset 0; did you mean attach?'
            optimize PATCH Tags('n') {"Color":"c"}
            optimize POST Orders(1)/Tags/$ref {"@odata.id":"Tags('n')"}
            optimize PATCH Tags('n') {"Color":"d"}
            optimize PATCH Orders(1) {"Title":"c"}
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending PATCH Tags('n') {"Color":"c"}
              3 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('n')"} after [1]
              4 pending PATCH Tags('n') {"Color":"d"} after [2]
              5 pending PATCH Orders(1) {"Title":"c"} after [3]
            """#
        ),
        SeamScript(
            "moved requests are sent in their new order",
            #"""
            query Tags Tags
            full Tags {"Name":"a"} {"Name":"b"} {"Name":"c"}
            merge
            PATCH Tags('a') {"Color":"1"}
            PATCH Tags('b') {"Color":"2"}
            PATCH Tags('c') {"Color":"3"}
            move 3 before 1
            queue
              3 pending PATCH Tags('c') {"Color":"3"}
              1 pending PATCH Tags('a') {"Color":"1"}
              2 pending PATCH Tags('b') {"Color":"2"}
            send
              3 PATCH Tags('c') If-Match: * stale {"Color":"3"}
              1 PATCH Tags('a') If-Match: * stale {"Color":"1"}
              2 PATCH Tags('b') If-Match: * stale {"Color":"2"}
            """#
        ),
        SeamScript(
            "what contains a change that is taken back stays where the service has it",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x"}]}
            merge
            POST Cards('a')/Lines {"No":2}
              -> Cards('a')/Lines(2)
            undo Cards('a')/Lines(2)
            rows Cards?$expand=Lines
              {Name:a Lines:[{No:1 Text:x}]}
            POST Cards('a')/Lines {"No":2}
              -> Cards('a')/Lines(2)
            full Cards
            merge
            rows Cards?$expand=Lines
              {Name:a Lines:[{No:1 Text:x},{isLocal hasPendingChanges No:2}]}
            undo Cards('a')/Lines(2)
            rows Cards?$expand=Lines
              {Name:a Lines:[{No:1 Text:x}]}
            """#
        ),
        SeamScript(
            "an update adds no link that is there",
            #"""
            query Orders Orders?$expand=Tags
            full Orders {"ID":1,"Tags":[{"Name":"a","Color":"x"}]}
            merge
            PATCH Orders(1) {"Tags":[{"Name":"a","Color":"y"}]}
            queue
              1 pending PATCH Tags('a') {"Color":"y"}
            rows Orders?$expand=Tags
              {ID:1 Tags:[{isLocal hasPendingChanges Name:a Color:y}]}
            """#
        ),
        SeamScript(
            "a call waits for the change of its entity",
            #"""
            query Orders Orders
            full Orders {"ID":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            POST Orders(1)/S.close {}
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending POST Orders(1)/S.close {} after [1]
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            fail 1 400
            queue
              1 failed PATCH Orders(1) {"Title":"b"} answered 400
              2 parked POST Orders(1)/S.close {} after [1]
            """#
        ),
        SeamScript(
            "a link waits for the creation of its target",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1}
            merge
            POST Tags {"Name":"n"}
              -> Tags('n')
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('n')"}
            DELETE Orders(1)/Tags/$ref?$id=Tags('n')
            queue
              1 pending POST Tags {"Name":"n"}
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('n')"} after [1]
              3 pending DELETE Orders(1)/Tags/$ref?$id=Tags('n') after [1, 2]
            send
              1 POST Tags {"Name":"n"}
            ok 1 {"Name":"o"}
            queue
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('o')"}
              3 pending DELETE Orders(1)/Tags/$ref?$id=Tags('o') after [2]
            """#
        ),
        SeamScript(
            "what waited for a joined request waits for what that waited for",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"\"1\"","ID":1,"Title":"a"}
            full Tags {"Name":"x"}
            merge
            POST Tags {"Name":"n"}
              -> Tags('n')
            PATCH Orders(1) {"Title":"b","Main@odata.bind":"Tags('n')"}
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('x')"}
            PATCH Orders(1) {"Price":3}
            queue
              1 pending POST Tags {"Name":"n"}
              2 pending PATCH Orders(1) {"Title":"b","Main@odata.bind":"Tags('n')"} after [1]
              3 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('x')"} after [2]
              4 pending PATCH Orders(1) {"Price":3} after [3]
            fail 2 412
            their 2 etag="2" {"ID":1,"Title":"z"}
            merge-with Orders(1) {"Title":"m"}
            queue
              1 pending POST Tags {"Name":"n"}
              3 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('x')"} after [1]
              4 pending PATCH Orders(1) {"Title":"m","Price":3,"Main@odata.bind":"Tags('n')"} after [3]
            """#
        ),
        SeamScript(
            "what is deleted here inside of what is gone goes with it",
            #"""
            query Cards Cards?$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"x"},{"No":2}]}
            merge
            PATCH Cards('a') {"Title":"u"}
            DELETE Cards('a')/Lines(1)
            delta Cards {"@removed":{"reason":"deleted"},"@id":"Cards('a')"}
            merge
            DELETE Cards('a')
            queue
            events
              Conflict: the service's version stays; taken back: PATCH Cards('a') {"Title":"u"}
              Conflict: the service's version stays; taken back: DELETE Cards('a')/Lines(1) 
            """#
        ),
        SeamScript(
            "a request that was not refused is not discarded",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            discard 1
              error: request 1 is not in the error archive
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
            """#
        ),
        SeamScript(
            "a round that was given back is not given back again",
            #"""
            query Orders Orders
            full Orders {"ID":1}
            merge
            PATCH Orders(1) {"Title":"x"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"x"}
            hold 1
            give-back
            queue
              1 pending PATCH Orders(1) {"Title":"x"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"x"}
            give-back
            queue
              1 sending PATCH Orders(1) {"Title":"x"}
            """#
        ),
        SeamScript(
            "what changes an entity that a call at the service names waits for its answer",
            #"""
            query Tags Tags
            query Orders Orders
            full Tags {"Name":"t"} {"Name":"u"}
            full Orders {"ID":1}
            merge
            POST gather {"tags":[{"@odata.id":"Tags('t')"}]}
            POST Orders(1)/S.close {}
            send
              1 POST gather {"tags":[{"@odata.id":"Tags('t')"}]}
              2 POST Orders(1)/S.close {}
            PATCH Tags('t') {"Color":"r"}
            PATCH Tags('u') {"Color":"r"}
            PATCH Orders(1) {"Title":"x"}
            queue
              1 sending POST gather {"tags":[{"@odata.id":"Tags('t')"}]}
              2 sending POST Orders(1)/S.close {}
              3 pending PATCH Tags('t') {"Color":"r"}
              4 pending PATCH Tags('u') {"Color":"r"}
              5 pending PATCH Orders(1) {"Title":"x"}
            send
            ok 1
            send
              3 PATCH Tags('t') If-Match: * stale {"Color":"r"}
              4 PATCH Tags('u') If-Match: * stale {"Color":"r"}
            ok 2
            send
              5 PATCH Orders(1) If-Match: * stale {"Title":"x"}
            """#
        ),
    ]
}
