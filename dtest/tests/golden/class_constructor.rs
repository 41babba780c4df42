use dunit::prelude::*;

/// From src/class_constructor.dfy:1.
pub struct Account {
    pub balance: Field<Int>,
    pub owner: Seq<Char>,
}

impl Object for Account {
    fn class_name(&self) -> &'static str {
        "_module.Account"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("balance", &self.balance);
        fields.constant("owner", &self.owner);
    }
}

impl Account {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let balance: Int = int(0);
        let owner: Seq<Char> = <Seq<Char> as DafnyDefault>::dafny_default();
        Ref::new(Account {
            balance: Field::new(balance),
            owner,
        })
    }
}

impl Account {
    /// ```dafny
    /// ensures this.owner == owner && this.balance == balance
    /// ```
    ///
    /// From src/class_constructor.dfy:5.
    pub fn new(owner: &Seq<Char>, balance: &Int) -> Ref<Self> {
        let owner_2 = owner.clone();
        let balance_2 = balance.clone();
        Ref::new(Account {
            balance: Field::new(balance_2),
            owner: owner_2,
        })
    }
}
