"""Owns what a solver answers about armies: repairs, proofs, what fits, and skeletons to draft on.

Does not judge: `armies` does, and every army that comes from here is judged by it again. `cpsat`
alone imports the solver, an extra (`solver`); only who asks a question loads it.

How an army is built from nothing:

    skeleton = Skeleton(composition, book=book, fields={...})   # the army itself: a level's fields
    wing = skeleton.branch(skeleton.root, "command")            # may stand or not
    skeleton.leader(wing, "general", Freedom(...))              # at a level's own key
    horse = skeleton.unit(wing, "unit", book.units["hussars"], Freedom(most=4, amounts=...))
    demands = skeleton.demands(limit=Decimal(250))              # every constraint; then no new slot
    solver = Solver(skeleton.model, seed=7)
    answer = solver.ask(most=demands.points)                    # None: there is no such army
    army = skeleton.army(answer, name="Sketch")                 # an Army that `check` can judge
    skeleton.data(answer)                                       # the same as an army file says it

`slot.there`, `slot.count` and `slot.amounts["stands"]` are parts for goals and wishes:
`solver.ask(where=[(Linear.of(slot.there), [(1, 1)])])`. `solver.require` binds for good, so that
goals can be asked one after the other. `everything` opens all that rules and prices ask for.
"""
