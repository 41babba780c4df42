mod built;
mod codata;
mod iterators;
mod source;
