//! Defines the four combinations of values and references of an operator, and its assigning form,
//! from one function.

/// `forward_binary!(Int: Add add, AddAssign add_assign = Int::plus)`: every combination calls
/// `Int::plus(&a, &b)`. Generic parameters go in brackets: `forward_binary!([T: Value] Set<T>: …)`.
macro_rules! forward_binary {
    ([$($generics:tt)*] $Type:ty: $Trait:ident $method:ident, $Assign:ident $assign:ident = $function:path) => {
        impl<$($generics)*> std::ops::$Trait<$Type> for $Type {
            type Output = $Type;
            fn $method(self, right: $Type) -> $Type {
                $function(&self, &right)
            }
        }
        impl<$($generics)*> std::ops::$Trait<&$Type> for $Type {
            type Output = $Type;
            fn $method(self, right: &$Type) -> $Type {
                $function(&self, right)
            }
        }
        impl<$($generics)*> std::ops::$Trait<$Type> for &$Type {
            type Output = $Type;
            fn $method(self, right: $Type) -> $Type {
                $function(self, &right)
            }
        }
        impl<$($generics)*> std::ops::$Trait<&$Type> for &$Type {
            type Output = $Type;
            fn $method(self, right: &$Type) -> $Type {
                $function(self, right)
            }
        }
        impl<$($generics)*> std::ops::$Assign<$Type> for $Type {
            fn $assign(&mut self, right: $Type) {
                *self = $function(self, &right);
            }
        }
        impl<$($generics)*> std::ops::$Assign<&$Type> for $Type {
            fn $assign(&mut self, right: &$Type) {
                *self = $function(self, right);
            }
        }
    };
    ($Type:ty: $Trait:ident $method:ident, $Assign:ident $assign:ident = $function:path) => {
        forward_binary!([] $Type: $Trait $method, $Assign $assign = $function);
    };
}

/// As [`forward_binary!`], from a function that takes its left operand by value, so that it can be
/// changed in place if it is not shared: `Set::union_into(a, &b)`.
macro_rules! forward_consuming {
    ([$($generics:tt)*] $Type:ty: $Trait:ident $method:ident, $Assign:ident $assign:ident = $function:path) => {
        impl<$($generics)*> std::ops::$Trait<$Type> for $Type {
            type Output = $Type;
            fn $method(self, right: $Type) -> $Type {
                $function(self, &right)
            }
        }
        impl<$($generics)*> std::ops::$Trait<&$Type> for $Type {
            type Output = $Type;
            fn $method(self, right: &$Type) -> $Type {
                $function(self, right)
            }
        }
        impl<$($generics)*> std::ops::$Trait<$Type> for &$Type {
            type Output = $Type;
            fn $method(self, right: $Type) -> $Type {
                $function(self.clone(), &right)
            }
        }
        impl<$($generics)*> std::ops::$Trait<&$Type> for &$Type {
            type Output = $Type;
            fn $method(self, right: &$Type) -> $Type {
                $function(self.clone(), right)
            }
        }
        impl<$($generics)*> std::ops::$Assign<$Type> for $Type {
            fn $assign(&mut self, right: $Type) {
                *self = $function(std::mem::take(self), &right);
            }
        }
        impl<$($generics)*> std::ops::$Assign<&$Type> for $Type {
            fn $assign(&mut self, right: &$Type) {
                *self = $function(std::mem::take(self), right);
            }
        }
    };
}

pub(crate) use {forward_binary, forward_consuming};
