extension SeamScript {
    /// Which requests wait for which, are made one, taken back or corrected.
    static let orders = [
        SeamScript(
            "a request moves before and after others",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2} {"ID":3}
            merge
            PATCH Orders(1) {"Title":"a"}
            PATCH Orders(2) {"Title":"b"}
            PATCH Orders(3) {"Title":"c"}
            move 1 after 2
            queue
              2 pending PATCH Orders(2) {"Title":"b"}
              1 pending PATCH Orders(1) {"Title":"a"}
              3 pending PATCH Orders(3) {"Title":"c"}
            move 3 before 2
            queue
              3 pending PATCH Orders(3) {"Title":"c"}
              2 pending PATCH Orders(2) {"Title":"b"}
              1 pending PATCH Orders(1) {"Title":"a"}
            move 3 after 1
            send
              2 PATCH Orders(2) If-Match: * stale {"Title":"b"}
              1 PATCH Orders(1) If-Match: * stale {"Title":"a"}
              3 PATCH Orders(3) If-Match: * stale {"Title":"c"}
            """#
        ),
        SeamScript(
            "a request does not move over what it waits for",
            #"""
            query Orders Orders
            full Orders {"ID":1}
            merge
            PATCH Orders(1) {"Title":"a"}
            PATCH Orders(1) {"Title":"b"}
            move 2 before 1
              error: request 2 depends on request 1
            move 1 after 2
              error: request 2 depends on request 1
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"a"}
            ok 1
            move 2 after 2
            move 2 after 9
              error: there is no request 9 in the queue or the archive
            move 1 after 2
              error: there is no request 1 in the queue or the archive
            queue
              2 pending PATCH Orders(1) {"Title":"b"}
            """#
        ),
        SeamScript(
            "a deletion waits for the deletion of a child",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1} {"ID":2}
            full Items {"ID":10,"OrderID":1} {"ID":11,"OrderID":2}
            merge
            DELETE Items(10)
            DELETE Orders(2)
            DELETE Orders(1)
            queue
              1 pending DELETE Items(10)
              2 pending DELETE Orders(2)
              3 pending DELETE Orders(1) after [1]
            """#
        ),
        SeamScript(
            "requests with other headers are not made one",
            #"""
            query Orders Orders
            full Orders {"ID":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            header=X-Why:1 optimize PATCH Orders(1) {"Price":1}
            header=X-Why:1 optimize PATCH Orders(1) {"Price":2}
            header=X-Why:2 optimize PATCH Orders(1) {"Price":3}
            cat=c header=X-Why:2 optimize PATCH Orders(1) {"Price":4}
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending PATCH Orders(1) {"Price":2} after [1] [X-Why: 1]
              3 pending PATCH Orders(1) {"Price":3} after [2] [X-Why: 2]
              4 pending PATCH Orders(1) {"Price":4} after [3] [X-Why: 2]
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            """#
        ),
        SeamScript(
            "members that are not declared are given once",
            #"""
            query Cards Cards
            full Cards {"Name":"c"}
            merge
            PATCH Cards('c') {"X":1,"Y":1}
            optimize PATCH Cards('c') {"X":2}
            queue
              1 pending PATCH Cards('c') {"Y":1,"X":2}
            rows Cards
              {isLocal hasPendingChanges Name:c X:2 Y:1}
            optimize PUT Cards('c') {"Y":3}
            queue
              1 pending PUT Cards('c') {"Y":3}
            rows Cards
              {isLocal hasPendingChanges Name:c Y:3}
            drop 1
            rows Cards
              {Name:c}
            """#
        ),
        SeamScript(
            "an immutable value that stays is not sent",
            #"""
            query Items Items
            full Items {"ID":1,"Code":"k","Text":"a"}
            merge
            PATCH Items(1) {"Code":"k","Text":"b"}
            PATCH Items(1) {"Code":"z"}
              400 'Code cannot be changed once the entity is created'
            PATCH Items(1) {"Code":"k"}
            queue
              1 pending PATCH Items(1) {"Text":"b"}
              2 pending PATCH Items(1) {} after [1]
            send
              1 PATCH Items(1) If-Match: * stale {"Text":"b"}
            """#
        ),
        SeamScript(
            "what became theirs has no copies",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            drop 1
            rows Tags
              {etag:9 Name:t Color:theirs}
            full Tags {"@odata.etag":"10","Name":"t","Color":"newer"}
            merge
            PATCH Tags('t') {"Color":"x"}
            full Tags {"@odata.etag":"10","Name":"t","Color":"newer"}
            merge
            rows Tags
              {etag:10 isLocal hasPendingChanges Name:t Color:x}
            drop 2
            rows Tags
              {etag:10 Name:t Color:newer}
            """#
        ),
        SeamScript(
            "a deep update links the entities that it names",
            #"""
            query Orders Orders?$expand=Tags,Items
            query Tags Tags
            query Items Items
            full Orders {"ID":1,"Tags":[{"Name":"u"}],"Items":[]} {"ID":2}
            full Tags {"Name":"t"} {"Name":"u"}
            full Items {"ID":10,"OrderID":2}
            merge
            PATCH Orders(1) {"Tags":[{"Name":"t","Color":"x"}]}
            queue
              1 pending PATCH Tags('t') {"Color":"x"}
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
              3 pending DELETE Orders(1)/Tags/$ref?$id=Tags('u') after [2]
            rows Orders(1)/Tags
              {isLocal hasPendingChanges Name:t Color:x}
            PATCH Orders(1) {"Items":[{"ID":10,"Text":"n"}]}
            queue
              1 pending PATCH Tags('t') {"Color":"x"}
              2 pending POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
              3 pending DELETE Orders(1)/Tags/$ref?$id=Tags('u') after [2]
              4 pending PATCH Items(10) {"Text":"n"}
              5 pending POST Orders(1)/Items/$ref {"@odata.id":"Items(10)"} after [3, 4]
            rows Orders(1)/Items
              {isLocal hasPendingChanges ID:10 Text:n OrderID:1}
            PATCH Orders(1) {"Tags":[{"Name":"t"},{"Name":"u"}]}
            rows Orders(1)/Tags
              {isLocal hasPendingChanges Name:t Color:x}
              {Name:u}
            """#
        ),
        SeamScript(
            "a split transaction waits to be sent by its members",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2}
            merge
            tx=t PATCH Orders(1) {"Title":"a"}
            tx=t PATCH Orders(2) {"Title":"b"}
            split 1
            queue
              1 pending PATCH Orders(1) {"Title":"a"}
              2 pending PATCH Orders(2) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"a"}
              2 PATCH Orders(2) If-Match: * stale {"Title":"b"}
            fail 1 400
            queue
              1 failed PATCH Orders(1) {"Title":"a"} answered 400
              2 sending PATCH Orders(2) {"Title":"b"}
            """#
        ),
        SeamScript(
            "the members of a refused transaction wait again when it is split",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2}
            merge
            tx=t PATCH Orders(1) {"Title":"a"}
            tx=t PATCH Orders(2) {"Title":"b"}
            send
              set 1: 1 PATCH Orders(1) If-Match: * stale {"Title":"a"}
              set 1: 2 PATCH Orders(2) If-Match: * stale {"Title":"b"}
            fail 1 400
            fail 2 400
            queue
              1 failed PATCH Orders(1) {"Title":"a"} answered 400
              2 failed PATCH Orders(2) {"Title":"b"} answered 400
            split 2
            queue
              1 pending PATCH Orders(1) {"Title":"a"}
              2 pending PATCH Orders(2) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"a"}
              2 PATCH Orders(2) If-Match: * stale {"Title":"b"}
            rows Orders
              {isLocal hasPendingChanges ID:1 Title:a}
              {isLocal hasPendingChanges ID:2 Title:b}
            """#
        ),
        SeamScript(
            "a replaced single link waits for its removal at the other end",
            #"""
            query Cards Cards?$expand=Notes
            query Notes Notes?$expand=Card
            full Cards {"Name":"a"} {"Name":"b"}
            full Notes {"Day":1,"No":1}
            merge
            PUT Notes(Day=1,No=1)/Card/$ref {"@odata.id":"Cards('a')"}
            DELETE Cards('a')/Notes/$ref?$id=Notes(Day=1,No=1)
            PUT Notes(Day=1,No=1)/Card/$ref {"@odata.id":"Cards('b')"}
            queue
              1 pending PUT Notes(Day=1,No=1)/Card/$ref {"@odata.id":"Cards('a')"}
              2 pending DELETE Cards('a')/Notes/$ref?$id=Notes(Day=1,No=1) after [1]
              3 pending PUT Notes(Day=1,No=1)/Card/$ref {"@odata.id":"Cards('b')"} after [1, 2]
            drop 2
            queue
              1 pending PUT Notes(Day=1,No=1)/Card/$ref {"@odata.id":"Cards('a')"}
            rows Cards('a')/Notes
              {isLocal hasPendingChanges Day:1 No:1}
            rows Cards('b')/Notes
            rows Notes(Day=1,No=1)/Card
              {Name:a}
            """#
        ),
        SeamScript(
            "a refused update is corrected below a later one",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"ID":1,"Title":"a"}
            full Tags {"Name":"t"} {"Name":"u"}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":1}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            fail 1 400
            PATCH Orders(1) {"Title":"c","Price":2,"Main@odata.bind":"Tags('u')"}
            queue
              1 pending PATCH Orders(1) {"Title":"c","Main@odata.bind":"Tags('u')"}
              2 pending PATCH Orders(1) {"Price":1} after [1]
              3 pending PATCH Orders(1) {"Price":2} after [2]
            rows Orders(1)/Main
              {Name:u}
            drop 3
            rows Orders(1)/Main
              {Name:u}
            queue
              1 pending PATCH Orders(1) {"Title":"c","Main@odata.bind":"Tags('u')"}
              2 pending PATCH Orders(1) {"Price":1} after [1]
            """#
        ),
        SeamScript(
            "an entity deleted after a refused change",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            POST Orders {"Title":"n"}
              -> Orders(A)
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
              2 POST Orders {"Title":"n"}
            fail 1 400
            fail 2 400
            DELETE Orders(1)
            DELETE Orders(A)
            queue
              3 pending DELETE Orders(1)
            rows Orders
            drop 3
            rows Orders
              {ID:1 Title:a}
            """#
        ),
        SeamScript(
            "a refused creation is given other values",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1} {"ID":2}
            merge
            POST Items {"Text":"a","Code":"k","Order@odata.bind":"Orders(1)"}
              -> Items(A)
            send
              1 POST Items {"Text":"a","Code":"k","Order@odata.bind":"Orders(1)"}
            fail 1 400
            PATCH Items(A) {"Text":"b"}
            queue
              1 pending POST Items {"Text":"b","Code":"k","Order@odata.bind":"Orders(1)"}
            send
              1 POST Items {"Text":"b","Code":"k","Order@odata.bind":"Orders(1)"}
            fail 1 400
            PUT Items(A) {"Text":"c"}
            queue
              1 pending POST Items {"Text":"c","Code":"k","Order@odata.bind":"Orders(1)"}
            rows Items
              {isLocal hasPendingChanges Text:c Code:k OrderID:1}
            """#
        ),
        SeamScript(
            "a new request behind a parked one waits with it",
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
            PATCH Items(B) {"Text":"y"}
            queue
              1 failed POST Orders {"Title":"a"} answered 400
              2 parked POST Items {"Text":"x","Order@odata.bind":"Orders(A)"} after [1]
              3 parked PATCH Items(B) {"Text":"y"} after [2]
            edit 1 {"Title":"b"}
            queue
              1 pending POST Orders {"Title":"b"}
              2 pending POST Items {"Text":"x","Order@odata.bind":"Orders(A)"} after [1]
              3 pending PATCH Items(B) {"Text":"y"} after [2]
            """#
        ),
        SeamScript(
            "every member of a transaction waits behind a refused request",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1}
            merge
            POST Orders {"Title":"a"}
              -> Orders(A)
            tx=t PATCH Orders(1) {"Title":"b"}
            tx=t POST Items {"Text":"x","Order@odata.bind":"Orders(A)"}
              -> Items(B)
            send
              1 POST Orders {"Title":"a"}
            fail 1 400
            queue
              1 failed POST Orders {"Title":"a"} answered 400
              2 parked PATCH Orders(1) {"Title":"b"}
              3 parked POST Items {"Text":"x","Order@odata.bind":"Orders(A)"} after [1]
            send
            drop 1
            queue
            rows Orders
              {ID:1}
            """#
        ),
        SeamScript(
            "one member of a transaction is not taken back alone",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"} {"ID":2,"Title":"b"} {"ID":3}
            merge
            tx=t PATCH Orders(1) {"Title":"x"}
            tx=t PATCH Orders(2) {"Title":"y"}
            PATCH Orders(3) {"Title":"z"}
            drop 2
            queue
              3 pending PATCH Orders(3) {"Title":"z"}
            rows Orders
              {ID:1 Title:a}
              {ID:2 Title:b}
              {isLocal hasPendingChanges ID:3 Title:z}
            """#
        ),
        SeamScript(
            "a transaction changes an entity once",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"} {"ID":2}
            merge
            tx=t PATCH Orders(1) {"Title":"x"}
            tx=t PATCH Orders(1) {"Price":2}
            tx=t DELETE Orders(1)
            tx=t PATCH Orders(2) {"Price":2}
            queue
              2 pending DELETE Orders(1)
              3 pending PATCH Orders(2) {"Price":2}
            rows Orders
              {isLocal hasPendingChanges ID:2 Price:2}
            send
              set 1: 2 DELETE Orders(1) If-Match: * stale
              set 1: 3 PATCH Orders(2) If-Match: * stale {"Price":2}
            """#
        ),
        SeamScript(
            "a later request that names the entity is not overtaken",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1}
            merge
            PATCH Orders(1) {"Title":"x"}
            POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
              -> Items(A)
            optimize PATCH Orders(1) {"Price":2}
            optimize PATCH Orders(1) {"Title":"y"}
            queue
              1 pending PATCH Orders(1) {"Title":"x"}
              2 pending POST Items {"Text":"n","Order@odata.bind":"Orders(1)"}
              3 pending PATCH Orders(1) {"Title":"y","Price":2} after [1]
            """#
        ),
        SeamScript(
            "an upsert waits for the deletion of its key",
            #"""
            query Tags Tags
            full Tags {"@odata.etag":"1","Name":"t","Color":"r"}
            merge
            DELETE Tags('t')
            PUT Tags('t') {"Color":"b"}
              -> Tags('t')
            POST Tags {"Name":"u"}
              -> Tags('u')
            queue
              1 pending DELETE Tags('t')
              2 pending PUT Tags('t') {"Name":"t","Color":"b"} after [1]
              3 pending POST Tags {"Name":"u"}
            send
              1 DELETE Tags('t') If-Match: 1
              3 POST Tags {"Name":"u"}
            ok 1
            send
              2 PUT Tags('t') {"Name":"t","Color":"b"}
            ok 2 etag=2
            rows Tags
              {etag:2 isLocal Name:t Color:b}
              {isLocal hasPendingChanges Name:u}
            """#
        ),
        SeamScript(
            "a creation with a deleted key waits for the deletion",
            #"""
            query Tags Tags
            full Tags {"@odata.etag":"1","Name":"t","Color":"r"}
            merge
            DELETE Tags('t')
            POST Tags {"Name":"t","Color":"b"}
              -> Tags('t')
            queue
              1 pending DELETE Tags('t')
              2 pending POST Tags {"Name":"t","Color":"b"} after [1]
            drop 2
            rows Tags
            POST Tags {"Name":"t","Color":"c"}
              -> Tags('t')
            drop 1
            queue
            rows Tags
              {etag:1 Name:t Color:r}
            """#
        ),
        SeamScript(
            "an edited creation keeps what later requests say",
            #"""
            query Orders Orders
            POST Orders {"Title":"a","Price":1}
              -> Orders(A)
            PATCH Orders(A) {"Title":"b"}
            edit 1 {"Title":"c","Price":2}
            queue
              1 pending POST Orders {"Title":"c","Price":2}
              2 pending PATCH Orders(A) {"Title":"b"} after [1]
            rows Orders
              {isLocal hasPendingChanges Title:b Price:2}
            drop 2
            rows Orders
              {isLocal hasPendingChanges Title:c Price:2}
            PATCH Orders(A) {"Price":7}
            drop 3
            rows Orders
              {isLocal hasPendingChanges Title:c Price:2}
            """#
        ),
        SeamScript(
            "a creation gets another key and theirs comes down",
            #"""
            query Tags Tags
            POST Tags {"Name":"t","Color":"r"}
              -> Tags('t')
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            edit 1 {"Name":"u","Color":"r"}
            rows Tags
              {etag:9 Name:t Color:theirs}
              {isLocal hasPendingChanges Name:u Color:r}
            queue
              1 pending POST Tags {"Name":"u","Color":"r"}
            full Tags {"@odata.etag":"9","Name":"t","Color":"theirs"}
            merge
            rows Tags
              {etag:9 Name:t Color:theirs}
              {isLocal hasPendingChanges Name:u Color:r}
            full Tags
            merge
              remark: 1 of 1 entities were removed, since the service did not send them any more
            rows Tags
              {isLocal hasPendingChanges Name:u Color:r}
            send
              1 POST Tags {"Name":"u","Color":"r"}
            """#
        ),
        SeamScript(
            "a retried request reads its ETag",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            fail 1 412
            retry 1
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            fail 1 400
            retry 1
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            """#
        ),
        SeamScript(
            "an address with a query keeps it in what follows",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.editLink":"O/8?sap-client=1","ID":1,"Title":"a"}
            full Tags {"Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            PATCH Orders(1) {"Title":"b"}
            send
              1 POST O/8/Tags/$ref?sap-client=1 {"@odata.id":"http://service/Tags('t')"}
            ok 1
            send
              2 PATCH O/8?sap-client=1 If-Match: * stale {"Title":"b"}
            ok 2
            DELETE Orders(1)/Tags/$ref?$id=Tags('t')
            send
              3 DELETE O/8/Tags/$ref?$id=http://service/Tags('t')&sap-client=1
            """#
        ),
        SeamScript(
            "transactions that change the same entities are made one",
            #"""
            query Orders Orders
            query Items Items
            full Orders {"ID":1} {"ID":2} {"ID":3}
            merge
            tx=a PATCH Orders(1) {"Title":"x"}
            tx=b PATCH Orders(2) {"Title":"x"}
            tx=c PATCH Orders(3) {"Title":"x"}
            tx=b PATCH Orders(1) {"Price":1}
            tx=c PATCH Orders(2) {"Price":1}
            tx=a PATCH Orders(3) {"Price":1}
            queue
              1 pending PATCH Orders(1) {"Title":"x"}
              2 pending PATCH Orders(2) {"Title":"x"}
              3 pending PATCH Orders(3) {"Title":"x"}
              4 pending PATCH Orders(1) {"Price":1} after [1]
              5 pending PATCH Orders(2) {"Price":1} after [2]
              6 pending PATCH Orders(3) {"Price":1} after [3]
            send
              set 1: 1 PATCH Orders(1) If-Match: * stale {"Title":"x","Price":1}
              set 1: 2 PATCH Orders(2) If-Match: * stale {"Title":"x","Price":1}
              set 1: 3 PATCH Orders(3) If-Match: * stale {"Title":"x","Price":1}
            queue
              1 sending PATCH Orders(1) {"Title":"x","Price":1}
              2 sending PATCH Orders(2) {"Title":"x","Price":1}
              3 sending PATCH Orders(3) {"Title":"x","Price":1}
            """#
        ),
        SeamScript(
            "crossing transactions with other headers are refused",
            #"""
            query Orders Orders
            full Orders {"ID":1} {"ID":2}
            merge
            tx=a PATCH Orders(1) {"Title":"x"}
            tx=b PATCH Orders(2) {"Title":"x"}
            header=X-Why:1 tx=b PATCH Orders(1) {"Price":1}
            tx=a PATCH Orders(2) {"Price":1}
            send
              [1, 2, 3, 4] cannot go: circle(["a", "b"])
            queue
              1 pending PATCH Orders(1) {"Title":"x"}
              2 pending PATCH Orders(2) {"Title":"x"}
              3 pending PATCH Orders(1) {"Price":1} after [1] [X-Why: 1]
              4 pending PATCH Orders(2) {"Price":1} after [2]
            """#
        ),
        SeamScript(
            "a transaction goes in the order of its members",
            #"""
            query Orders Orders
            query Items Items
            query Tags Tags
            full Orders {"ID":1}
            merge
            tx=t POST Items {"Text":"x"}
              -> Items(A)
            tx=t POST Orders {"Title":"o"}
              -> Orders(B)
            tx=t POST Tags {"Name":"t"}
              -> Tags('t')
            tx=t PATCH Items(A) {"Order@odata.bind":"Orders(B)"}
              400 'transaction t has request 1 for this entity already, and the two cannot be made one: a transaction holds one request for each entity'
            move 1 after 3
            send
              set 1: 2 POST Orders {"Title":"o"}
              set 1: 3 POST Tags {"Name":"t"}
              set 1: 1 POST Items {"Text":"x"}
            """#
        ),
        SeamScript(
            "an own condition stays",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1}
            merge
            header=If-Match:"own" PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: "own" {"Title":"b"}
            ok 1
            header=If-Match:"own" PATCH Orders(1) {"Title":"c"}
            send
              2 PATCH Orders(1) If-Match: "own" {"Title":"c"}
            """#
        ),
        SeamScript(
            "what links lead to has another ETag after the answer",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1}
            full Tags {"@odata.etag":"1","Name":"t"}
            merge
            POST Orders(1)/Tags/$ref {"@odata.id":"Tags('t')"}
            send
              1 POST Orders(1)/Tags/$ref {"@odata.id":"http://service/Tags('t')"}
            ok 1
            rows Orders
              {isLocal ID:1}
            rows Tags
              {Name:t}
            PATCH Tags('t') {"Color":"b"}
            PATCH Orders(1) {"Title":"b"}
            send
              2 PATCH Tags('t') If-Match: * stale {"Color":"b"}
              3 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            """#
        ),
        SeamScript(
            "a called action is ordered with the changes of its entity",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            POST Orders(1)/S.close {}
            POST Orders(1)/S.close {"x":1}
              400 'S.close has no parameter x'
            PATCH Orders(1) {"Title":"c"}
            POST Orders {"Title":"n"}
              -> Orders(A)
            POST Orders(A)/S.close {}
            queue
              1 pending PATCH Orders(1) {"Title":"b"}
              2 pending POST Orders(1)/S.close {} after [1]
              3 pending PATCH Orders(1) {"Title":"c"} after [1]
              4 pending POST Orders {"Title":"n"}
              5 pending POST Orders(A)/S.close {} after [4]
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
              4 POST Orders {"Title":"n"}
            ok 1
            send
              2 POST Orders(1)/S.close {}
            ok 2
            send
              3 PATCH Orders(1) If-Match: * stale {"Title":"c"}
            """#
        ),
        SeamScript(
            "an ETag that was never stated is read",
            #"""
            query Titles Orders?$select=ID,Title
            full Titles {"ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"b"}
            PATCH Orders(1) {"Price":2}
            full Titles {"ID":1,"Title":"c"}
            merge
            rows Orders
              {isLocal hasPendingChanges hasConflict ID:1 Title:b Price:2}
            drop 2
            rows Orders
              {isLocal hasPendingChanges hasConflict ID:1 Title:b}
            """#
        ),
        SeamScript(
            "values beside those of a selection",
            #"""
            query Titles Orders?$select=ID,Title
            full Titles {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Price":2}
            send
              1 PATCH Orders(1) If-Match: 1 {"Price":2}
            fail 1 412
            their 1 etag=1 {"ID":1,"Title":"a","Price":9}
            rows Orders
              {etag:1 isLocal hasPendingChanges inErrorState hasConflict ID:1 Title:a Price:2}
            server Orders(1)
            rows Orders
              {etag:1 ID:1 Title:a Price:9}
            """#
        ),
        SeamScript(
            "an update that names what a creation brings is no part of it",
            #"""
            query Cards Cards
            POST Cards {"Name":"a","Item":{"ID":3,"Text":"x"}}
              -> Cards('a')
            optimize PATCH Cards('a') {"Title":"y","Item@odata.bind":"Items(3)"}
            queue
              1 pending POST Cards {"Name":"a","Item":{"ID":3,"Text":"x"}}
              2 pending PATCH Cards('a') {"Title":"y","Item@odata.bind":"Items(3)"} after [1]
            """#
        ),
        SeamScript(
            "what waits for what cannot be addressed waits with it",
            #"""
            query Cards Cards
            POST Cards {"Name":"a","Title":"t","Lines":[{"No":1}]}
              -> Cards('a')
            PATCH Cards('a')/Lines(1) {"Text":"x"}
            PATCH Cards('a')/Lines(1) {"Text":"y"}
            send
              1 POST Cards {"Name":"a","Title":"t","Lines":[{"No":1}]}
            ok 1 {"Title":"t","Lines":[{"No":1}]}
            send
            queue
              2 parked PATCH Cards('a')/Lines(1) {"Text":"x"} answered 0
              3 parked PATCH Cards('a')/Lines(1) {"Text":"y"} after [2]
            identify Cards('a') Cards('b')
            queue
              2 pending PATCH Cards('b')/Lines(1) {"Text":"x"}
              3 pending PATCH Cards('b')/Lines(1) {"Text":"y"} after [2]
            """#
        ),
        SeamScript(
            "a creation whose answer shows what is inside of it needs no full read",
            #"""
            query Orders Orders?$expand=Items
            full Orders {"ID":1}
            merge
            tasks
              Orders delta
            POST Orders {"ID":2,"Items":[{"ID":5,"Text":"x"}]}
              -> Orders(2)
            send
              1 POST Orders {"ID":2,"Items":[{"ID":5,"Text":"x"}]}
            ok 1 {"ID":2,"Items":[{"ID":5,"Text":"x"}]}
            tasks
              Orders delta
            POST Orders {"ID":3,"Items":[{"ID":6,"Text":"x"}]}
              -> Orders(3)
            send
              2 POST Orders {"ID":3,"Items":[{"ID":6,"Text":"x"}]}
            ok 2 {"ID":3}
            tasks
              Orders full
            """#
        ),
    ]
}
