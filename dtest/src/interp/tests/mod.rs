mod built;
mod iterators;
mod source;
