extension SeamScript {
    /// Which rows and values stay, and what they are without the local changes.
    static let coverages = [
        SeamScript(
            "what is gone and comes again is no conflict",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders
            merge
            rows Orders
              {isLocal hasPendingChanges hasConflict ID:1 Title:b}
            full Orders {"ID":1,"Title":"a"}
            merge
            rows Orders
              {isLocal hasPendingChanges ID:1 Title:b}
            undo Orders(1)
            rows Orders
              {ID:1 Title:a}
            """#
        ),
        SeamScript(
            "what is deleted here and gone at the service does not come back",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a"}
            merge
            DELETE Orders(1)
            full Orders
            merge
            drop 1
            rows Orders
            """#
        ),
        SeamScript(
            "without ETags another value is a newer version",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            full Orders {"ID":1,"Title":"theirs","Price":2}
            merge
            rows Orders
              {isLocal hasPendingChanges hasConflict ID:1 Title:b Price:1}
            server Orders(1)
            rows Orders
              {ID:1 Title:theirs Price:2}
            """#
        ),
        SeamScript(
            "what an orphan leads to is looked at too",
            #"""
            query Items Items?$expand=Order($expand=Tags)
            full Items {"ID":10,"OrderID":1,"Order":{"ID":1,"Tags":[{"Name":"t"},{"Name":"u"}]}} {"ID":11,"OrderID":2,"Order":{"ID":2,"Tags":[{"Name":"u"}]}}
            merge
            rows Tags
              {Name:t}
              {Name:u}
            delta Items {"ID":10,"OrderID":2,"Order":{"ID":2,"Tags":[{"Name":"u"}]}}
            merge
            rows Orders
              {ID:2}
            rows Tags
              {Name:u}
            """#
        ),
        SeamScript(
            "entries of one entity in a delta are laid over each other",
            #"""
            query Orders Orders
            full Orders {"ID":1,"Title":"a","Price":1}
            merge
            delta Orders {"ID":1,"Title":"b"} {"ID":1,"Price":2} {"ID":2,"Title":"n"} {"ID":2,"Price":3}
            merge
            rows Orders
              {ID:1 Title:b Price:2}
              {ID:2 Title:n Price:3}
            """#
        ),
        SeamScript(
            "an uploaded change is the service's after a complete download that does not mention it",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            ok 1 etag=2
            PATCH Orders(1) {"Price":1}
            rows Orders
              {etag:2 isLocal hasPendingChanges ID:1 Title:b Price:1}
            delta Orders
            merge
            drop 2
            rows Orders
              {etag:2 ID:1 Title:b}
            """#
        ),
        SeamScript(
            "values that an expand leaves out stay",
            #"""
            query Tags Tags
            query Orders Orders?$expand=Tags($select=Name)
            full Tags {"Name":"t","Color":"r"}
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            merge
            rows Tags
              {Name:t Color:r}
            full Orders {"ID":1,"Tags":[{"Name":"t"}]}
            merge
            rows Orders(1)/Tags
              {Name:t Color:r}
            """#
        ),
        SeamScript(
            "values that only a left query has brought are not known any more",
            #"""
            query Titles Orders?$select=ID,Title
            query Cheap Orders?$filter=Price%20lt%205
            full Titles {"ID":1,"Title":"a"} {"ID":2,"Title":"b"}
            full Cheap {"ID":1,"Title":"a","Price":3} {"ID":2,"Title":"b","Price":4}
            merge
            PATCH Orders(2) {"Title":"mine"}
            rows Orders
              {ID:1 Title:a Price:3}
              {isLocal hasPendingChanges ID:2 Title:mine Price:4}
            full Titles {"ID":1,"Title":"a"} {"ID":2,"Title":"b"}
            full Cheap
            merge
            rows Orders
              {ID:1 Title:a}
              {isLocal hasPendingChanges ID:2 Title:mine}
            undo Orders(2)
            rows Orders
              {ID:1 Title:a}
              {ID:2 Title:b}
            """#
        ),
        SeamScript(
            "an address that does not come any more is forgotten",
            #"""
            query Orders Orders
            full Orders {"@odata.id":"http://service/O/7","ID":1} {"@odata.editLink":"O/8","ID":2}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(2) {"Title":"b"}
            send
              1 PATCH O/7 If-Match: * stale {"Title":"b"}
              2 PATCH O/8 If-Match: * stale {"Title":"b"}
            ok 1
            ok 2
            full Orders {"ID":1,"Title":"b"} {"@odata.editLink":"O/8","ID":2,"Title":"b"}
            merge
            PATCH Orders(1) {"Title":"c"}
            PATCH Orders(2) {"Title":"c"}
            send
              3 PATCH Orders(1) If-Match: * stale {"Title":"c"}
              4 PATCH O/8 If-Match: * stale {"Title":"c"}
            ok 3
            ok 4
            delta Orders {"@removed":{"reason":"deleted"},"@odata.id":"O/8"}
            merge
            rows Orders
              {ID:1 Title:c}
            """#
        ),
        SeamScript(
            "every reference of a body is the service's address",
            #"""
            query Orders Orders
            query Tags Tags
            full Tags {"@odata.id":"http://service/T/1","Name":"t"} {"@odata.id":"http://service/T/2","Name":"u"} {"Name":"v"}
            merge
            POST Orders {"Title":"x","Main@odata.bind":"Tags('t')","Tags@odata.bind":["Tags('u')","Tags('v')","Tags('t')"]}
              -> Orders(A)
            send
              1 POST Orders {"Title":"x","Tags@odata.bind":["T/2","Tags('v')","T/1"],"Main@odata.bind":"T/1"}
            """#
        ),
        SeamScript(
            "what an answer does not show of a deep insert is read in full",
            #"""
            query Orders Orders?$expand=Items
            query Tags Tags
            full Orders {"ID":1,"Items":[]}
            full Tags
            merge
            POST Orders {"Title":"a","Items":[{"Text":"x"}]}
              -> Orders(A)
            send
              1 POST Orders {"Title":"a","Items":[{"Text":"x"}]}
            ok 1 {"ID":7,"Title":"a"}
            tasks
              Orders full
              Tags delta
            """#
        ),
        SeamScript(
            "a child that has another parent by now keeps its links",
            #"""
            query Orders Orders
            query Items Items
            query Cards Cards?$expand=Item($select=ID)
            full Orders {"ID":5} {"ID":6}
            full Items {"@odata.etag":"1","ID":1,"OrderID":5} {"@odata.etag":"1","ID":2,"OrderID":5}
            full Cards {"Name":"c","Item":{"ID":1}} {"Name":"d","Item":{"ID":2}}
            merge
            DELETE Orders(5)
            rows Items
            rows Cards('c')/Item
              204
            full Items {"@odata.etag":"2","ID":1,"OrderID":6} {"@odata.etag":"1","ID":2,"OrderID":5}
            merge
            send
              1 DELETE Orders(5) If-Match: * stale
            ok 1
            rows Items
              {ID:1 OrderID:6}
            rows Cards('c')/Item
              {ID:1 OrderID:6}
            rows Cards('d')/Item
              204
            """#
        ),
        SeamScript(
            "a child that has another parent by now keeps what it contains",
            #"""
            query Orders Orders
            query Items Items?$expand=Marks
            full Orders {"ID":5} {"ID":6}
            full Items {"ID":1,"OrderID":5,"Marks":[{"No":1}]} {"ID":2,"OrderID":5,"Marks":[{"No":2}]}
            merge
            DELETE Orders(5)
            full Items {"ID":1,"OrderID":6,"Marks":[{"No":1}]} {"ID":2,"OrderID":5,"Marks":[{"No":2}]}
            merge
            send
              1 DELETE Orders(5) If-Match: * stale
            ok 1
            rows Items?$expand=Marks
              {ID:1 OrderID:6 Marks:[{No:1}]}
            rows Items(2)/Marks
              404
            """#
        ),
        SeamScript(
            "a change of a contained entity keeps what contains it",
            #"""
            query Cards Cards?$filter=Title%20eq%20'a'&$expand=Lines
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"first"}]}
            merge
            PATCH Cards('a')/Lines(1) {"Text":"mine"}
            delta Cards {"@removed":{"reason":"changed"},"@id":"Cards('a')"}
            merge
            rows Cards?$expand=Lines
              {Name:a Lines:[{isLocal hasPendingChanges No:1 Text:mine}]}
            """#
        ),
        SeamScript(
            "contained entities go with what contains them in a full read",
            #"""
            query Cards Cards?$expand=Lines($expand=Parts)
            full Cards {"Name":"a","Lines":[{"No":1,"Text":"first","Parts":[{"No":2}]}]}
            merge
            full Cards
            merge
              remark: 3 of 3 entities were removed, since the service did not send them any more
            rows Cards?$expand=Lines
            """#
        ),
        SeamScript(
            "a value written over one that was not known is no base",
            #"""
            query Orders Orders?$filter=Title%20eq%20'a'&$select=ID,Title
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            merge
            PATCH Orders(1) {"Price":9}
            full Orders
            merge
            absent
              Orders(1)
            absent-found Orders(1) etag=2 {"ID":1,"Title":"a","Price":5}
            rows Orders
              {etag:1 isLocal hasPendingChanges hasConflict ID:1 Title:a Price:9}
            conflict Orders(1)
              base {"ID":1,"Title":"a"}
              here {"ID":1,"Title":"a","Price":9}
              service {"ID":1,"Title":"a","Price":5}
              changed Price
            """#
        ),
        SeamScript(
            "what was changed here and came back is the service's, though another query rests",
            #"""
            query Orders Orders
            query Tags Tags
            full Orders {"@odata.etag":"1","ID":1,"Title":"a"}
            full Tags {"Name":"t"}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              1 PATCH Orders(1) If-Match: 1 {"Title":"b"}
            ok 1 etag=2
            PATCH Orders(1) {"Title":"c"}
            full Orders {"@odata.etag":"2","ID":1,"Title":"b"}
            merge
            undo Orders(1)
            rows Orders
              {etag:2 ID:1 Title:b}
            """#
        ),
        SeamScript(
            "what a call may have changed is known again after a download",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"1","ID":1,"Title":"a","Price":1}
            merge
            POST Orders(1)/S.close {}
            send
              1 POST Orders(1)/S.close {}
            ok 1
            full Orders {"@odata.etag":"2","ID":1,"Title":"closed","Price":1}
            merge
            PATCH Orders(1) {"Title":"b"}
            send
              2 PATCH Orders(1) If-Match: 2 {"Title":"b"}
            standing 2 {"ID":1,"Title":"closed","Price":7}
              other
            """#
        ),
        SeamScript(
            "a contained collection of one that is deleted here",
            #"""
            query Lines Cards('a')/Lines
            query Cards Cards
            full Cards {"Name":"a"}
            full Lines {"No":1}
            merge
            DELETE Cards('a')
            full Lines {"No":1} {"No":2}
            merge
            drop 1
            rows Cards?$expand=Lines
              {Name:a Lines:[{No:1},{No:2}]}
            """#
        ),
        SeamScript(
            "what a full read did not bring and the service has is in conflict or not",
            #"""
            query Orders Orders
            full Orders {"@odata.etag":"\"1\"","ID":1,"Title":"a"} {"@odata.etag":"\"1\"","ID":2,"Title":"a"}
            merge
            PATCH Orders(1) {"Title":"b"}
            PATCH Orders(2) {"Title":"b"}
            full Orders
            merge
            rows Orders
              {etag:"1" isLocal hasPendingChanges hasConflict ID:1 Title:b}
              {etag:"1" isLocal hasPendingChanges hasConflict ID:2 Title:b}
            absent
              Orders(1)
              Orders(2)
            absent-found Orders(1) etag="2" {"ID":1,"Title":"a"}
            absent-found Orders(2) etag="2" {"ID":2,"Title":"z"}
            rows Orders
              {etag:"2" isLocal hasPendingChanges ID:1 Title:b}
              {etag:"1" isLocal hasPendingChanges hasConflict ID:2 Title:b}
            conflicts
              update Orders(2)
            """#
        ),
        SeamScript(
            "what stands between a gone entity and a change made here is gone too",
            #"""
            query Cards Cards?$expand=Lines($expand=Parts)
            full Cards {"Name":"a","Lines":[{"No":1,"Parts":[{"No":2,"Text":"x"}]}]}
            merge
            PATCH Cards('a')/Lines(1)/Parts(2) {"Text":"y"}
            delta Cards {"@removed":{"reason":"deleted"},"@id":"Cards('a')"}
            merge
            conflicts
              update Cards('a')/Lines(1)/Parts(2) gone
            undo Cards('a')/Lines(1)/Parts(2)
            rows Cards?$expand=Lines($expand=Parts)
            """#
        ),
        SeamScript(
            "what is deleted here forgets values that no query brings any more",
            #"""
            query Long Orders?$select=ID,Title,Price&$filter=ID gt 0
            query Short Orders?$select=ID,Title
            full Long {"ID":1,"Title":"a","Price":1}
            full Short {"ID":1,"Title":"a"}
            merge
            DELETE Orders(1)
            delta Long {"@removed":{"reason":"changed"},"@id":"Orders(1)"}
            merge
            undo Orders(1)
            rows Orders
              {ID:1 Title:a}
            """#
        ),
        SeamScript(
            "addresses that do not come any more are forgotten where none comes",
            #"""
            query Orders Orders
            full Orders {"@odata.id":"http://service/o-1","@odata.editLink":"http://service/o-1","ID":1}
            merge
            full Orders {"ID":1}
            merge
            PATCH Orders(1) {"Title":"a"}
            send
              1 PATCH Orders(1) If-Match: * stale {"Title":"a"}
            """#
        ),
        SeamScript(
            "a filter two levels down says nothing of what it leaves out",
            #"""
            query All Cards?$expand=Peers
            query Part Cards?$filter=Name eq 'a'&$expand=Peers($expand=Peers($filter=Name gt 'd'))
            full All {"Name":"a","Peers":[{"Name":"b"}]} {"Name":"b","Peers":[{"Name":"c"},{"Name":"e"}]} {"Name":"c","Peers":[]} {"Name":"e","Peers":[]}
            merge
            full Part {"Name":"a","Peers":[{"Name":"b","Peers":[{"Name":"e"}]}]}
            merge
            rows Cards('b')/Peers
              {Name:c}
              {Name:e}
            """#
        ),
        SeamScript(
            "another query that brings all of a property keeps what a filter leaves out",
            #"""
            query All Orders?$expand=Tags
            query Part Orders?$expand=Tags($filter=Name gt 'a')
            full All {"ID":5,"Tags":[{"Name":"a"},{"Name":"b"}]}
            merge
            full Part {"ID":5,"Tags":[{"Name":"b"}]}
            merge
            rows Orders(5)/Tags
              {Name:a}
              {Name:b}
            """#
        ),
        SeamScript(
            "a delta leaves what an entity contains and a filter keeps away",
            #"""
            query All Items?$expand=Marks
            query Part Items?$expand=Marks($filter=No gt 1)
            full All {"ID":5,"OrderID":1,"Marks":[{"No":1,"Text":"x"},{"No":2,"Text":"y"}]}
            full Part {"ID":5,"OrderID":1,"Marks":[{"No":2,"Text":"y"}]}
            merge
            delta Part {"ID":5,"OrderID":1,"Marks":[{"No":2,"Text":"w"}]}
            merge
            rows Items(5)/Marks
              {No:1 Text:x}
              {No:2 Text:w}
            delta All {"ID":5,"OrderID":1,"Marks":[{"No":2,"Text":"v"}]}
            merge
            rows Items(5)/Marks
              {No:2 Text:v}
            """#
        ),
    ]
}
