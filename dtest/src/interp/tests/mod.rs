mod built;
mod codata;
mod external;
mod iterators;
mod source;
