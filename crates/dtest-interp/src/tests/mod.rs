mod built;
mod codata;
mod external;
mod iterators;
mod mocks;
mod newtypes;
mod source;
